import { setTimeout as sleep } from 'node:timers/promises';
import type { Outcome, Usage } from '@sluice/algorithms';
import {
  chargeCommand,
  claimCommand,
  claimMoveCommand,
  heartbeatCommand,
  keySlot,
  peekCommand,
  refundCommand,
  reserveCommand,
  resetCommand,
  splitsCommand,
  takeAllCommand,
  takeCommand,
  usageCommand,
  type ScriptClient,
  type ScriptCommand,
} from '@sluice/lua-scripts';
import { AskCall } from './ask-call.js';
import { assertFitClient } from './assert-fit-client.js';
import type { ServerState } from './breaker.js';
import { Breakers, type BreakerEvent } from './breakers.js';
import type { Answer, Ask, AskEnd, Counted, CounterStore, Debit, GiveBack, Heard, Heartbeat } from './counter-store.js';
import { DatabaseGuard } from './database-guard.js';
import { RedisCalls } from './redis-calls.js';
import { redisClient } from './redis-client.js';
import { SilentConnections } from './silent-connections.js';
import { StoreFault } from './store-fault.js';

/** How long a farewell may take, ms. */
const QUIT_MS = 500;

export interface RedisStoreOptions {
  /** `redis://…`, a comma list is a cluster. Or bring a `client`, made with the options of `@sluice/lua-scripts`, and close it yourself. */
  readonly url?: string;
  readonly client?: ScriptClient;
  /** Longest wait for an answer, ms; default 50 (R40). */
  readonly timeoutMs?: number;
  /** Called for each error of the connection; the errors of calls are faults in the answers. */
  readonly onError?: (error: Error) => void;
  /** Called when a server is given up after failures in a row, and when it answers again (R41). */
  readonly onBreaker?: (event: BreakerEvent) => void;
  /** For tests: the time by which the scripts decide. */
  readonly nowMs?: () => number;
}

/** Counters in Redis, by one atomic script each; what is asked together goes out together. */
export class RedisStore implements CounterStore {
  private readonly client: ScriptClient;
  private readonly breakers: Breakers;
  private readonly calls: RedisCalls;
  private readonly nowMs: (() => number) | undefined;
  private readonly owned: boolean;
  private readonly database: DatabaseGuard;

  /** @throws RangeError for a URL that is none, or a client with an option that the scripts cannot work with. */
  constructor({ url, client, timeoutMs = 50, onError = () => undefined, onBreaker = () => undefined, nowMs }: RedisStoreOptions) {
    if (client === undefined && url === undefined) throw new RangeError('a Redis store needs a url or a client');
    this.client = client ?? redisClient(url ?? '', onError);
    this.owned = client === undefined;
    try {
      assertFitClient(this.client);
    } catch (error) {
      // By the query of a URL.
      if (this.owned) this.client.disconnect();
      throw error;
    }
    this.database = new DatabaseGuard(this.client);
    this.breakers = new Breakers({ nowMs: () => performance.now(), random: Math.random }, onBreaker);
    this.calls = new RedisCalls(this.client, this.breakers, new SilentConnections(this.client, onError), timeoutMs);
    this.nowMs = nowMs;
  }

  /** Resolves when commands can be sent; rejects when that takes longer than `timeoutMs`, or the database is refused. The client goes on trying. */
  async ready(timeoutMs: number): Promise<void> {
    if (this.client.status === 'ready') return;
    const { client } = this;
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => settle(() => reject(new StoreFault('unavailable', `Redis did not answer within ${timeoutMs} ms`))), timeoutMs);
      const onReady = (): void => settle(resolve);
      const settle = (how: () => void): void => {
        clearTimeout(timer);
        client.off('ready', onReady);
        this.database.watch(() => undefined);
        how();
      };
      client.on('ready', onReady);
      this.database.watch((fault) => settle(() => reject(fault)));
    });
  }

  /** True while commands can be sent. */
  get connected(): boolean {
    return this.client.status === 'ready';
  }

  /** `host:port` of each server that failed several times in a row and is left alone, but for a probe now and then (R41). */
  get givenUp(): readonly string[] {
    return this.breakers.opened;
  }

  stateOf(key: string): ServerState {
    return this.calls.stateOf(key);
  }

  ask(ask: Ask, end: AskEnd): void {
    this.calls.send(this.command(ask), new AskCall(ask, end, this.returnLate));
  }

  take(asks: readonly Ask[]): Promise<readonly Answer[]> {
    return Promise.all(asks.map((ask) => this.calls.answer(this.command(ask), (outcome) => this.returnLate(ask, outcome))));
  }

  async takeAll(asks: readonly Ask[]): Promise<readonly Answer[]> {
    const groups = this.client.isCluster ? bySlot(asks) : [asks.map((_ask, at) => at)];
    const answers: Answer[] = [];
    await Promise.all(
      groups.map(async (group) => {
        const part = await this.takeGroup(group.flatMap((at) => asks[at] ?? []));
        group.forEach((at, position) => (answers[at] = part[position] ?? unanswered()));
      }),
    );
    // A slot that did not answer refuses nothing: what the others granted stands, and the rule says what the missing one means.
    if (groups.length === 1 || !answers.some((answer, at) => isRefused(answer, asks[at]))) return answers;
    return this.takeBack(asks, answers);
  }

  giveBack(returns: readonly GiveBack[]): Promise<readonly (number | StoreFault)[]> {
    return this.calls.sendAll(returns.map(({ key, quota, amount, bucket }) => refundCommand(key, quota, { amount, bucket }, this.nowMs?.())));
  }

  charge(debits: readonly Debit[], late?: (debit: Debit, outcome: Outcome) => void): Promise<readonly Answer[]> {
    const nowMs = this.nowMs?.();
    const commands = debits.map(({ key, quota, amount, onlyIfAbsent, bucket }) => chargeCommand(key, quota, amount, { onlyIfAbsent, bucket, nowMs }));
    return this.calls.sendAll(commands, (outcome, at) => {
      const debit = debits[at];
      if (debit !== undefined) late?.(debit, outcome);
    });
  }

  reserve(key: string, record: string, ttlMs: number): Promise<StoreFault | undefined> {
    return this.calls.answer(reserveCommand(key, record, ttlMs));
  }

  claim(key: string, claimant: string): Promise<string | undefined | StoreFault> {
    return this.calls.answer(claimCommand(key, claimant));
  }

  async heartbeat({ key, nodeId, ttlMs, splits }: Heartbeat): Promise<Heard | StoreFault> {
    const nowMs = this.nowMs?.();
    const beat = this.calls.answer(heartbeatCommand(key, nodeId, ttlMs, { nowMs }));
    const heard = splits === undefined ? undefined : await this.calls.answer(splitsCommand(splits.key, splits.proposals, { ...splits, nowMs }));
    const answer = await beat;
    if (answer instanceof StoreFault || heard === undefined || heard instanceof StoreFault) return answer;
    return { ...answer, splits: { counters: heard.splits, nowMs: heard.nowMs } };
  }

  get spreads(): boolean {
    return this.client.isCluster;
  }

  usage(counters: readonly Counted[]): Promise<readonly (Usage | StoreFault)[]> {
    const nowMs = this.nowMs?.();
    return this.calls.sendAll(counters.map(({ key, quota }) => usageCommand(key, quota, nowMs)));
  }

  claimMove(key: string, counter: string, step: string, nodeId: string): Promise<boolean | StoreFault> {
    return this.calls.answer(claimMoveCommand(key, counter, step, nodeId));
  }

  async reset(keys: readonly string[]): Promise<void> {
    const answers = await this.calls.sendAll(keys.map((key) => resetCommand(key)));
    const fault = answers.find((answer) => answer instanceof StoreFault);
    // Nobody may take for forgotten what is still counted.
    if (fault !== undefined) throw fault;
  }

  async close(): Promise<void> {
    if (!this.owned) return this.calls.close();
    // A server that hangs does not answer QUIT either.
    if (this.connected) await Promise.race([this.client.quit().catch(() => undefined), sleep(QUIT_MS, undefined, { ref: false })]);
    this.client.disconnect();
    this.calls.close();
  }


  private command({ key, quota, need, want, backAmount, backBucket }: Ask): ScriptCommand<Outcome> {
    const nowMs = this.nowMs?.();
    if (want === 0) return peekCommand(key, quota, need, { nowMs });
    const giveBack = backAmount > 0 ? { amount: backAmount, bucket: backBucket } : undefined;
    return takeCommand(key, quota, need, want, { giveBack, nowMs });
  }

  private async takeGroup(asks: readonly Ask[]): Promise<readonly Answer[]> {
    const answer = await this.calls.answer(takeAllCommand(asks, this.nowMs?.()), (outcomes) => {
      asks.forEach((ask, at) => this.returnLate(ask, outcomes[at]));
    });
    return answer instanceof StoreFault ? asks.map(() => answer) : answer;
  }

  /** What is granted after its time was given to nobody, so it goes back: a store that is slow or hung loses nothing for good. */
  private readonly returnLate = ({ key, quota }: Ask, outcome: Outcome | undefined): void => {
    if (outcome === undefined || outcome.granted === 0) return;
    this.calls.post(refundCommand(key, quota, { amount: outcome.granted, bucket: outcome.bucket }, this.nowMs?.()));
  };

  /** Another slot of the request refused: what this one charged goes back, and the answers say that nothing was charged. */
  private async takeBack(asks: readonly Ask[], answers: readonly Answer[]): Promise<readonly Answer[]> {
    const granted = asks.flatMap(({ key, quota }, at) => {
      const answer = answers[at];
      if (answer === undefined || answer instanceof StoreFault || answer.granted === 0) return [];
      return [{ key, quota, amount: answer.granted, bucket: answer.bucket }];
    });
    await this.giveBack(granted);
    return answers.map((answer) =>
      answer instanceof StoreFault || answer.granted === 0 ? answer : { ...answer, granted: 0, remaining: answer.remaining + answer.granted, retryMs: 0 },
    );
  }
}

/** Positions of the asks by the cluster slot of their keys. */
function bySlot(asks: readonly Ask[]): readonly (readonly number[])[] {
  const groups = new Map<number, number[]>();
  asks.forEach(({ key }, at) => {
    const slot = keySlot(key);
    const group = groups.get(slot);
    if (group === undefined) groups.set(slot, [at]);
    else group.push(at);
  });
  return [...groups.values()];
}

function isRefused(answer: Answer, ask: Ask | undefined): boolean {
  return !(answer instanceof StoreFault) && ask !== undefined && answer.granted < ask.need;
}

function unanswered(): StoreFault {
  return new StoreFault('rejected', 'the store left an ask unanswered');
}

/** Counters in Redis or a Redis Cluster (see {@link RedisStore}). */
export function redisStore(options: RedisStoreOptions): RedisStore {
  return new RedisStore(options);
}
