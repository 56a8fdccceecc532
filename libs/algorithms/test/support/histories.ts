import { algorithmFor, capacityOf, type CounterState, type Outcome, type Quota } from '@sluice/algorithms';
import fc from 'fast-check';
import { withLimit } from './quotas.js';

const TEN_YEARS_MS = 3653 * 86_400_000;
const START_MS = 1_767_225_612_345;

/** One thing that happens to a counter, in terms of whatever quota it meets. */
export interface Happening {
  readonly does: 'take' | 'peek' | 'refund' | 'charge' | 'change';
  /** Ms since the one before, as a share of the window plus some ms. */
  readonly waits: { readonly windows: number; readonly ms: number };
  /** Cost as a share of the capacity plus some permits. */
  readonly needs: { readonly share: number; readonly permits: number };
  readonly wantsMore: number;
  /** A refund is of the take that many before the last one. */
  readonly back: number;
}

const forward = fc.oneof(
  { weight: 3, arbitrary: fc.record({ windows: fc.constant(0), ms: fc.integer({ min: 0, max: 20 }) }) },
  { weight: 4, arbitrary: fc.record({ windows: fc.double({ min: 0, max: 1.2, noNaN: true }), ms: fc.constant(0) }) },
  fc.record({ windows: fc.constantFrom(1, 2, 2.5), ms: fc.integer({ min: -1, max: 1 }) }),
  fc.constant({ windows: 0, ms: TEN_YEARS_MS }),
);

const backward = fc.oneof(
  fc.record({ windows: fc.double({ min: -1, max: 0, noNaN: true }), ms: fc.constant(0) }),
  fc.constantFrom({ windows: -0.01, ms: 0 }, { windows: -1.5, ms: 0 }, { windows: 0, ms: -TEN_YEARS_MS }),
);

export interface HistoryOptions {
  /** Whether the clock may step back. */
  readonly back?: boolean;
  /** Whether the limit may change. */
  readonly change?: boolean;
  /** Whether permits may go back. */
  readonly refunds?: boolean;
  /** Whether something is charged beyond the limit; default false. */
  readonly charges?: boolean;
  readonly maxLength?: number;
}

/** What may happen to a counter, one after the other. */
export function histories({ back = true, change = true, refunds = true, charges = false, maxLength = 30 }: HistoryOptions = {}): fc.Arbitrary<readonly Happening[]> {
  const happening = fc.record({
    does: fc.constantFrom(
      ...(['take', 'take', 'take', 'take', 'peek'] as const),
      ...(refunds ? (['refund'] as const) : []),
      ...(charges ? (['charge'] as const) : []),
      ...(change ? (['change'] as const) : []),
    ),
    waits: back ? fc.oneof({ weight: 6, arbitrary: forward }, { weight: 1, arbitrary: backward }) : forward,
    needs: fc.oneof(
      fc.record({ share: fc.constant(0), permits: fc.integer({ min: 1, max: 4 }) }),
      fc.record({ share: fc.double({ min: 0, max: 1.1, noNaN: true }), permits: fc.constant(0) }),
      fc.constant({ share: 1, permits: 0 }),
    ),
    wantsMore: fc.constantFrom(0, 0, 1, 7, 1e6),
    back: fc.constantFrom(0, 0, 0, 1, 2, 5),
  });
  // By itself fast-check keeps to some ten elements, whatever the maximum.
  return fc.array(happening, { minLength: 1, maxLength, size: 'max' });
}

/** A take, peek, refund or charge of a history, as it went. */
export interface Event {
  readonly does: 'take' | 'peek' | 'refund' | 'charge';
  readonly quota: Quota;
  readonly nowMs: number;
  readonly need: number;
  readonly want: number;
  readonly before: CounterState | undefined;
  readonly after: CounterState | undefined;
  /** Of a take, peek or charge; of a refund the reading after it. */
  readonly outcome: Outcome;
  /** Of a refund. */
  readonly refunded: number;
  /** Index among the events of the take that a refund is of; -1 for none. */
  readonly ofTake: number;
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, Math.floor(value)));
}

/** Lets a history happen to a new counter of that quota. */
export function live(first: Quota, history: readonly Happening[]): readonly Event[] {
  const events: Event[] = [];
  const algorithm = algorithmFor(first.algorithm);
  let quota = first;
  let state: CounterState | undefined;
  let nowMs = START_MS;
  const takes: number[] = [];
  for (const { does, waits, needs, wantsMore, back } of history) {
    nowMs = clamp(nowMs + waits.windows * quota.windowMs + waits.ms, 0, 2 ** 50);
    const capacity = capacityOf(quota);
    const need = clamp(needs.share * capacity + needs.permits, 1, Math.min(Number.MAX_SAFE_INTEGER, 2 * capacity));
    const want = Math.min(Number.MAX_SAFE_INTEGER, need + wantsMore);
    if (does === 'change') {
      quota = withLimit(quota, clamp(needs.share * 2 * quota.limit + needs.permits, 1, Number.MAX_SAFE_INTEGER));
      continue;
    }
    const common = { quota, nowMs, need, want, before: state, refunded: 0, ofTake: -1 };
    if (does === 'take') {
      const taken = algorithm.take(state, quota, need, want, nowMs);
      if (taken.outcome.granted > 0) takes.push(events.length);
      events.push({ ...common, does, after: taken.state, outcome: taken.outcome });
      state = taken.state;
    } else if (does === 'charge') {
      const charged = algorithm.charge(state, quota, need, nowMs);
      if (charged.outcome.granted > 0) takes.push(events.length);
      events.push({ ...common, does, after: charged.state, outcome: charged.outcome });
      state = charged.state;
    } else if (does === 'peek') {
      events.push({ ...common, does, after: state, outcome: algorithm.peek(state, quota, need, nowMs) });
    } else {
      const [ofTake = -1] = takes.splice(-1 - back, 1);
      const { granted, bucket } = events[ofTake]?.outcome ?? { granted: 0, bucket: 0 };
      const amount = Math.min(need, granted);
      const { refunded, state: after } = algorithm.refund(state, quota, amount, bucket, nowMs);
      events.push({ ...common, does, need: amount, after, outcome: algorithm.peek(after, quota, 0, nowMs), refunded, ofTake });
      state = after;
    }
  }
  return events;
}
