import type { Check, CheckResult } from '@sluice/platform';
import type { DecisionStore } from './decision-store.js';
import { StoreUnavailable } from './store-faults.js';

export interface StoreCheckOptions {
  /** How long an answer is waited for: less than a probe may take. Default 1,000 ms. */
  readonly timeoutMs?: number;
  /** For how long an answer serves, so that probes do not load the store. Default 5,000 ms. */
  readonly keptMs?: number;
}

/**
 * Whether the store can be asked, for readiness. It is `degraded` where not, and not unready: the bus keeps what comes meanwhile, every replica has the same store, and
 * explanations of what went wrong are wanted from one that answers.
 */
export function storeCheck(store: Pick<DecisionStore, 'status'>, { timeoutMs = 1_000, keptMs = 5_000 }: StoreCheckOptions = {}): Check {
  let known: { readonly result: CheckResult; readonly untilMs: number } | undefined;
  let asking: Promise<CheckResult> | undefined;
  const ask = async (): Promise<CheckResult> => {
    const result = await store.status().then(() => ({ ok: true }), degraded);
    known = { result, untilMs: performance.now() + keptMs };
    asking = undefined;
    return result;
  };
  return async () => {
    if (known !== undefined && performance.now() < known.untilMs) return known.result;
    // One question at a time: a store that hangs must not gather them.
    asking ??= ask();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<CheckResult>((resolve) => {
      timer = setTimeout(() => resolve({ ok: true, detail: `degraded: the store did not answer within ${timeoutMs} ms` }), timeoutMs);
    });
    return Promise.race([asking, late]).finally(() => clearTimeout(timer));
  };
}

/** Readiness is open to anybody: what a store says may name places and users. */
function degraded(error: unknown): CheckResult {
  return { ok: true, detail: error instanceof StoreUnavailable ? 'degraded: the store cannot be asked now' : 'degraded: the store answers with a fault' };
}
