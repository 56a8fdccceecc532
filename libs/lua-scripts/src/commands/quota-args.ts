import { ALGORITHMS, type Quota } from '@sluice/algorithms';
import { ALGORITHM_SCRIPTS, type AlgorithmScripts } from './algorithm-scripts.js';
import { calendarText } from './calendar-text.js';

/** A quota as the scripts take it, made once: the hot path only adds what differs from call to call. */
export interface QuotaArgs extends AlgorithmScripts {
  readonly quota: Quota;
  /** First ARGV of the algorithm's own scripts; a calendar is added by {@link headOf}. */
  readonly head: readonly string[];
  /** ARGV of one counter of take-all, up to `detail`; a calendar is added by {@link blockOf}. */
  readonly block: readonly string[];
  readonly chargeDenied: string;
  /** Last ARGV of a take or a peek that brings nothing else, by need and want; few are in use at a time. See {@link takeArgs}. */
  readonly takes: Map<number, readonly string[]>;
}

/** Pairs of need and want that are kept; nearly all takes are of few permits. */
const MAX_TAKES = 256;
const MAX_KEPT = 1_024;

/** By the quota itself: rules hold theirs for as long as a snapshot lives, and so does this. */
const compiled = new WeakMap<Quota, QuotaArgs>();

export function quotaArgs(quota: Quota): QuotaArgs {
  let args = compiled.get(quota);
  if (args === undefined) compiled.set(quota, (args = compile(quota)));
  return args;
}

/** `nowMs` is the caller's clock, which need only be roughly right. */
export function headOf({ quota, head }: QuotaArgs, nowMs?: number): readonly string[] {
  return quota.calendar === undefined ? head : [...head, calendarText(quota.calendar, nowMs ?? Date.now())];
}

/**
 * All ARGV of a take after the field, the same array for the same take. Undefined where they cannot be shared: of a calendar, which each call
 * sends the part of that holds its time, and of many permits.
 */
export function takeArgs({ quota, head, chargeDenied, takes }: QuotaArgs, need: number, want: number): readonly string[] | undefined {
  if (quota.calendar !== undefined || need >= MAX_KEPT || want >= MAX_KEPT) return undefined;
  const at = need * MAX_KEPT + want;
  let args = takes.get(at);
  if (args === undefined && takes.size < MAX_TAKES) takes.set(at, (args = [...head, String(need), String(want), chargeDenied]));
  return args;
}

/** Like {@link headOf}, for take-all. */
export function blockOf({ quota, block }: QuotaArgs, nowMs?: number): readonly string[] {
  return quota.calendar === undefined ? block : [...block, calendarText(quota.calendar, nowMs ?? Date.now())];
}

function compile(quota: Quota): QuotaArgs {
  const pace = [String(quota.limit), String(quota.windowMs)];
  const algorithm = String(ALGORITHMS.indexOf(quota.algorithm) + 1);
  const burst = String(quota.burst);
  return {
    ...ALGORITHM_SCRIPTS[quota.algorithm],
    quota,
    head: [...pace, ...ownArgs(quota)],
    block: [algorithm, ...pace, burst, ...(quota.calendar === undefined ? [detailOf(quota)] : [])],
    chargeDenied: quota.chargeDenied ? '1' : '0',
    takes: new Map(),
  };
}

/** What only this algorithm's scripts take. */
function ownArgs({ algorithm, burst, subBuckets, shape, calendar }: Quota): string[] {
  switch (algorithm) {
    case 'fixed_window':
      return calendar === undefined ? [''] : [];
    case 'sliding_log':
      return [];
    case 'sliding_counter':
      return [String(subBuckets)];
    case 'leaky_bucket':
      return [String(burst), shape ? '1' : '0'];
    case 'token_bucket':
    case 'gcra':
      return [String(burst)];
  }
}

function detailOf({ algorithm, subBuckets, shape }: Quota): string {
  if (algorithm === 'sliding_counter') return String(subBuckets);
  return algorithm === 'leaky_bucket' && shape ? '1' : '';
}
