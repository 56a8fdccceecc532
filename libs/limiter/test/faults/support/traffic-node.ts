import { createLimiter, redisStore, type Limiter, type LimiterStats, type RedisStore } from '../../../src/index.js';
import { rulesOf } from '../../support/fixture.js';
import { isTroubled, sampleOf, type Sample } from './sample.js';
import { attributesOf, FAULT_RULES, STREAMS } from './streams.js';

export interface NodeSettings {
  readonly url: string;
  readonly timeoutMs: number;
  readonly fleetSize: number;
  readonly keys: readonly string[];
}

/** What a node saw. Plain data. */
export interface NodeReport {
  readonly samples: readonly Sample[];
  /** Longest time by which a timer of the process was late, ms: no decision can be held to less. */
  readonly lagMs: number;
  readonly stats: LimiterStats;
  /** Times the breaker of a server opened and closed. */
  readonly opened: number;
  readonly closed: number;
  readonly closeMs: number;
}

/** A node that takes traffic whatever happens to its store: open-loop arrivals at a steady rate, every decision noted. */
export interface FaultNode {
  start(): void | Promise<void>;
  /** How long every decision has had its store, ms. */
  healthyMs(): number | Promise<number>;
  /** Ends the traffic, gives leases back and reports. */
  stop(): Promise<NodeReport>;
}

const TICK_MS = 5;

export class TrafficNode implements FaultNode {
  private readonly samples: Sample[] = [];
  private readonly inTheAir = new Set<Promise<void>>();
  private readonly sent = STREAMS.map(() => 0);
  private timer: NodeJS.Timeout | undefined;
  private startedMs = 0;
  private tickedMs = 0;
  private lagMs = 0;
  private troubledAtMs = 0;

  private constructor(
    private readonly keys: readonly string[],
    private readonly store: RedisStore,
    private readonly limiter: Limiter,
    private readonly turns: { opened: number; closed: number },
  ) {}

  /** @param wait waits until the store is there; a store that cannot be had at the start is a fault of its own. */
  static async open({ url, timeoutMs, fleetSize, keys }: NodeSettings, wait = true): Promise<TrafficNode> {
    const turns = { opened: 0, closed: 0 };
    const store = redisStore({ url, timeoutMs, onBreaker: ({ state }) => (turns[state === 'open' ? 'opened' : 'closed'] += 1) });
    if (wait) await store.ready(10_000);
    const limiter = createLimiter({ store, rules: rulesOf(FAULT_RULES), fleetSize });
    return new TrafficNode(keys, store, limiter, turns);
  }

  start(): void {
    this.startedMs = this.tickedMs = this.troubledAtMs = performance.now();
    this.timer = setInterval(() => this.tick(), TICK_MS);
  }

  healthyMs(): number {
    return performance.now() - this.troubledAtMs;
  }

  async stop(): Promise<NodeReport> {
    clearInterval(this.timer);
    await Promise.all(this.inTheAir);
    const stoppedMs = performance.now();
    await this.limiter.close();
    const closeMs = performance.now() - stoppedMs;
    const stats = this.limiter.stats();
    await this.store.close();
    return { samples: this.samples, lagMs: this.lagMs, stats, ...this.turns, closeMs };
  }

  private tick(): void {
    const nowMs = performance.now();
    this.lagMs = Math.max(this.lagMs, nowMs - this.tickedMs - TICK_MS);
    this.tickedMs = nowMs;
    STREAMS.forEach(({ perSecond }, stream) => {
      const due = Math.floor(((nowMs - this.startedMs) * perSecond) / 1000);
      for (let sent = this.sent[stream] ?? 0; sent < due; sent += 1) this.ask(stream, sent % this.keys.length);
      this.sent[stream] = due;
    });
  }

  private ask(stream: number, key: number): void {
    const kind = STREAMS[stream];
    if (kind === undefined) return;
    const startedMs = performance.now();
    // The tight limit is one counter for all, or nobody would ever meet it.
    const at = kind.name === 'tight' ? 0 : key;
    const decision = this.limiter.check(attributesOf(kind, this.keys[at] ?? ''));
    const note = (decided: Awaited<typeof decision>): void => {
      const endedMs = performance.now();
      const sample = sampleOf(stream, at, decided, endedMs - startedMs);
      if (isTroubled(sample)) this.troubledAtMs = endedMs;
      this.samples.push(sample);
    };
    if (!(decision instanceof Promise)) return note(decision);
    const landing = decision.then(note).finally(() => this.inTheAir.delete(landing));
    this.inTheAir.add(landing);
  }
}
