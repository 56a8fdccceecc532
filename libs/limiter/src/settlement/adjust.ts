import type { Refunds } from '../approximate/refunds.js';
import type { Fallback } from '../fallback.js';
import type { CounterStore } from '../store/counter-store.js';
import { StoreFault } from '../store/store-fault.js';
import type { ReservedCharge } from './reservation-record.js';

export interface AdjustParts {
  readonly store: CounterStore;
  readonly fallback: Fallback;
  readonly refunds: Refunds;
  /** Told of counters that got permits back. */
  readonly leases: { refreshed(key: string): void };
}

/** What came of one counter: the permits by which its use has changed, or the fault in the way. */
export interface Adjusted {
  readonly charge: ReservedCharge;
  readonly answer: number | StoreFault;
}

/** Gives back (`difference` below 0) or charges beyond the limit what each counter was reserved too much or too little; one trip for all. */
export async function adjust(parts: AdjustParts, charges: readonly ReservedCharge[], difference: number): Promise<readonly Adjusted[]> {
  if (difference === 0) return charges.map((charge) => ({ charge, answer: 0 }));
  const amount = Math.abs(difference);
  const ours = charges.filter(({ at }) => at === 'fallback');
  const shared = charges.filter(({ at }) => at === 'store');
  const here = ours.map((charge) => ({ charge, answer: adjustHere(parts.fallback, charge, amount, difference < 0) }));
  if (shared.length === 0) return here;
  const answers = difference < 0 ? await giveBack(parts, shared, amount) : await addDebt(parts, shared, amount);
  return [...here, ...shared.map((charge, at) => ({ charge, answer: answers[at] ?? unanswered() }))];
}

function adjustHere(fallback: Fallback, { key, quota, bucket }: ReservedCharge, amount: number, back: boolean): number {
  return back ? fallback.giveBack(key, quota, amount, bucket) : fallback.charge(key, quota, amount).granted;
}

async function giveBack({ refunds, leases }: AdjustParts, charges: readonly ReservedCharge[], amount: number): Promise<readonly (number | StoreFault)[]> {
  const answers = await refunds.giveBack(charges.map(({ key, quota, bucket }) => ({ key, quota, bucket, amount })));
  for (const { key } of charges) leases.refreshed(key);
  return answers;
}

async function addDebt({ store }: AdjustParts, charges: readonly ReservedCharge[], amount: number): Promise<readonly (number | StoreFault)[]> {
  const answers = await store.charge(charges.map(({ key, quota }) => ({ key, quota, amount })));
  return answers.map((answer) => (answer instanceof StoreFault ? answer : answer.granted));
}

function unanswered(): StoreFault {
  return new StoreFault('rejected', 'the store left an entry unanswered');
}
