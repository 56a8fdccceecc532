import type { RequestAttributes, Rule } from '@sluice/rules';

/** What a worker is told. Times are ms of the wall clock, which all processes of the machine share. */
export type Order =
  | { readonly kind: 'open'; readonly url: string; readonly nodes: number; readonly rules: readonly Rule[] }
  | ({ readonly kind: 'run' } & Run)
  | { readonly kind: 'size' };

/** Open-loop load: requests come when they come, however long the answers take. */
export interface Run {
  readonly attributes: RequestAttributes;
  /** Nodes of the worker that get requests. */
  readonly nodes: number;
  readonly startMs: number;
  readonly endMs: number;
  readonly requestsPerSecond: number;
  readonly seed: number;
}

/** What came of a run. */
export interface RunReport {
  /** When requests were asked, and when those that passed were let in. */
  readonly askedAtMs: Float64Array;
  readonly admittedAtMs: Float64Array;
  /** Decisions that the fallback made. */
  readonly fallback: number;
  readonly p99Ms: number;
  readonly slowestMs: number;
  /** How far behind its time a request was sent, at worst: what a machine that is too busy adds. */
  readonly latestMs: number;
}

/** How a worker ended that was told to. */
export interface Ending {
  readonly report: RunReport | undefined;
  /** From the signal until the leases were back. */
  readonly tookMs: number;
  /** Permits that the limiters could not give back. */
  readonly lost: number;
}

/** What a worker says. */
export type Said =
  | { readonly kind: 'ready' }
  | { readonly kind: 'ran'; readonly report: RunReport }
  | { readonly kind: 'size'; readonly sizes: readonly number[] }
  | { readonly kind: 'stopped'; readonly ending: Ending };
