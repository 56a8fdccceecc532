import { randomBytes } from 'node:crypto';
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { type Logger, problem, ProblemException, problemType, type Registry } from '@sluice/platform';
import { Counter, Histogram } from 'prom-client';
import type { Caller } from '../access/caller.js';
import { forbidden } from '../problems/forbidden.js';
import type { DecisionStore } from '../store/decision-store.js';
import { QueryTooLarge, StoreUnavailable } from '../store/store-faults.js';
import { LOGGER, METRICS, STORE } from '../tokens.js';
import { Backtest, type BacktestPlan } from './backtest.js';
import { runBacktest, TooManyCounters } from './run-backtest.js';

/** How long an ended one can be looked at. */
const KEPT_MS = 3_600_000;
/** Ended ones that are kept at most; the oldest goes. */
const MOST_KEPT = 50;
const MOST_WAITING = 4;
const RETRY_SECONDS = 30;

/** The backtests of this process: one runs, a few wait, those that ended are kept in memory for an hour. A restart forgets all of them. */
@Injectable()
export class Backtests implements OnModuleDestroy {
  /** By id, the oldest first. */
  private readonly all = new Map<string, Backtest>();
  private running: Promise<void> | undefined;
  private isClosing = false;
  private readonly ended: Counter<'state'>;
  private readonly seconds: Histogram;

  constructor(
    @Inject(STORE) private readonly store: DecisionStore,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(METRICS) registry: Registry,
  ) {
    this.ended = new Counter({ name: 'sluice_backtests_total', help: 'Backtests that ended.', labelNames: ['state'], registers: [registry] });
    for (const state of ['done', 'failed', 'cancelled']) this.ended.inc({ state }, 0);
    this.seconds = new Histogram({ name: 'sluice_backtest_seconds', help: 'How long backtests ran.', buckets: [1, 10, 60, 600, 3600], registers: [registry] });
  }

  /**
   * Queues it. The same request of the same caller, about the same rules in force, is not run twice while the first one is known and was neither cancelled nor failed.
   *
   * @throws ProblemException 429 when too many wait
   */
  submit(plan: BacktestPlan, actor: string): Backtest {
    this.forget();
    const known = this.same(plan, actor);
    if (known !== undefined) return known;
    this.assertRoom();
    const backtest = new Backtest(`bt_${randomBytes(10).toString('hex')}`, actor, plan, Date.now());
    this.all.set(backtest.id, backtest);
    this.next();
    return backtest;
  }

  /** @throws ProblemException 429 when too many wait already */
  assertRoom(): void {
    if ([...this.all.values()].filter(({ state }) => state === 'queued').length >= MOST_WAITING) throw tooMany();
  }

  get(id: string): Backtest | undefined {
    this.forget();
    return this.all.get(id);
  }

  newestFirst(): readonly Backtest[] {
    this.forget();
    return [...this.all.values()].reverse();
  }

  /**
   * Ends it; what it came to so far can still be looked at.
   *
   * @throws ProblemException 403 for who neither started it nor is an admin, 409 for one that has ended
   */
  cancel(backtest: Backtest, { actor, role }: Caller): void {
    if (backtest.actor !== actor && role !== 'admin') throw forbidden(`Only ${backtest.actor}, who started it, and admins may cancel this backtest.`);
    if (backtest.state === 'cancelled') return;
    if (backtest.isOver) throw new ProblemException(problem(409, { type: problemType('backtest-state'), title: 'Conflict', detail: `This backtest is ${backtest.state}.` }));
    const wasQueued = backtest.state === 'queued';
    backtest.cancel(Date.now());
    if (wasQueued) this.ended.inc({ state: 'cancelled' });
  }

  async onModuleDestroy(): Promise<void> {
    this.isClosing = true;
    for (const backtest of this.all.values()) backtest.cancel(Date.now());
    await this.running;
  }

  private same({ digest }: BacktestPlan, actor: string): Backtest | undefined {
    if (digest === undefined) return undefined;
    return [...this.all.values()].find((one) => one.actor === actor && one.plan.digest === digest && one.state !== 'failed' && one.state !== 'cancelled');
  }

  private next(): void {
    if (this.running !== undefined || this.isClosing) return;
    const next = [...this.all.values()].find(({ state }) => state === 'queued');
    if (next === undefined) return;
    this.running = this.run(next).finally(() => {
      this.running = undefined;
      this.next();
    });
  }

  private async run(backtest: Backtest): Promise<void> {
    backtest.state = 'running';
    backtest.startedMs = Date.now();
    try {
      await runBacktest(backtest, this.store);
      const report = backtest.report();
      // Not the replay itself, whose counters are large.
      backtest.report = () => report;
      backtest.end('done', Date.now());
    } catch (error) {
      backtest.report = () => undefined;
      backtest.end('failed', Date.now(), faultOf(error));
      if (!isExpected(error)) this.logger.error({ err: error, backtest: backtest.id }, 'a backtest failed');
    }
    this.ended.inc({ state: backtest.state });
    this.seconds.observe((Date.now() - backtest.startedMs) / 1_000);
    this.logger.info({ backtest: backtest.id, actor: backtest.actor, state: backtest.state, events: backtest.progress.events }, 'a backtest ended');
  }

  private forget(): void {
    const over = [...this.all.values()].filter(({ isOver }) => isOver);
    const tooOld = over.filter(({ endedMs }) => (endedMs ?? Infinity) < Date.now() - KEPT_MS);
    for (const { id } of [...tooOld, ...over.slice(0, Math.max(0, over.length - MOST_KEPT))]) this.all.delete(id);
  }
}

function isExpected(error: unknown): error is Error {
  return error instanceof StoreUnavailable || error instanceof QueryTooLarge || error instanceof TooManyCounters;
}

function faultOf(error: unknown): string {
  if (error instanceof TooManyCounters) return `It needs too much memory: ${error.message}. Narrow the range or the filter.`;
  if (error instanceof StoreUnavailable) return 'The store of decisions could not be asked. Send the request again.';
  return isExpected(error) ? error.message : 'A fault of the service; its log has more.';
}

function tooMany(): ProblemException {
  const detail = `One backtest runs at a time, and ${MOST_WAITING} wait already.`;
  return new ProblemException(problem(429, { type: problemType('too-many-backtests'), title: 'Too many backtests', detail }), { 'retry-after': String(RETRY_SECONDS) });
}
