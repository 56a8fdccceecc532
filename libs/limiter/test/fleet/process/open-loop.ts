import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Decision, Limiter } from '@sluice/limiter';
import type { Run, RunReport } from './messages.js';

/** Requests that are overdue are sent so many at a time, so that answers are read between them. */
const AT_ONCE = 100;

const nowMs = (): number => performance.timeOrigin + performance.now();

/** Sends one run's load to nodes in turn: a Poisson process by a seeded generator. Ends early when told to stop. */
export class OpenLoop {
  private readonly askedAtMs: number[] = [];
  private readonly admittedAtMs: number[] = [];
  private readonly waitsMs: number[] = [];
  private fallback = 0;
  private latestMs = 0;
  private stopped = false;
  private done: Promise<RunReport> | undefined;

  constructor(
    private readonly limiters: readonly Limiter[],
    private readonly run: Run,
  ) {}

  start(): Promise<RunReport> {
    this.done ??= this.drive();
    return this.done;
  }

  /** No more requests; resolves when those in the air are decided. */
  stop(): Promise<RunReport> {
    this.stopped = true;
    return this.start();
  }

  private async drive(): Promise<RunReport> {
    const { startMs, endMs, requestsPerSecond, seed } = this.run;
    const random = generator(seed);
    const pauseMs = (): number => (-Math.log(1 - random()) * 1000) / requestsPerSecond;
    const pending: Promise<void>[] = [];
    await sleep(Math.max(0, startMs - nowMs()));
    let dueMs = startMs + pauseMs();
    for (let at = 0; dueMs < endMs && !this.stopped; ) {
      const now = nowMs();
      this.latestMs = Math.max(this.latestMs, now - dueMs);
      const untilMs = Math.min(now, endMs);
      for (let sent = 0; dueMs < untilMs && sent < AT_ONCE; dueMs += pauseMs(), at += 1, sent += 1) {
        const limiter = this.limiters[at % this.limiters.length];
        const answer = limiter === undefined ? undefined : this.ask(limiter);
        if (answer !== undefined) pending.push(answer);
      }
      await (dueMs < untilMs ? nextTurn() : sleep(1));
    }
    await Promise.all(pending);
    this.waitsMs.sort((a, b) => a - b);
    return {
      askedAtMs: Float64Array.from(this.askedAtMs),
      admittedAtMs: Float64Array.from(this.admittedAtMs),
      fallback: this.fallback,
      latestMs: this.latestMs,
      p99Ms: this.waitsMs[Math.floor(this.waitsMs.length * 0.99)] ?? 0,
      slowestMs: this.waitsMs.at(-1) ?? 0,
    };
  }

  private ask(limiter: Limiter): Promise<void> | undefined {
    const askedMs = nowMs();
    this.askedAtMs.push(askedMs);
    const decision = limiter.check(this.run.attributes);
    if (decision instanceof Promise) return decision.then((settled) => this.note(settled, askedMs));
    this.note(decision, askedMs);
    return undefined;
  }

  private note({ allowed, deciding }: Decision, askedMs: number): void {
    const atMs = nowMs();
    this.waitsMs.push(atMs - askedMs);
    if (allowed) this.admittedAtMs.push(atMs);
    if (deciding?.source === 'fallback') this.fallback += 1;
  }
}

/** mulberry32: from 0 to below 1. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
