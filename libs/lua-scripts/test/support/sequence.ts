import { algorithmFor, type CounterState, type Quota } from '@sluice/algorithms';
import { chargeCommand, peekCommand, refundCommand, takeCommand, usageCommand, type ScriptCommand } from '@sluice/lua-scripts';
import fc from 'fast-check';
import { strengths, type QuotaFamily, type Strength } from './quotas.js';

/** Picks one of a few or, as a fraction, a share of something: what it means depends on the quota in force. */
interface Step {
  readonly kind: 'take' | 'peek' | 'refund' | 'swap' | 'charge' | 'usage';
  /** Of the capacity, or a small number as it is. */
  readonly need: number;
  readonly more: number;
  /** In windows, or in ms when whole and small. */
  readonly wait: number;
  readonly strength: Strength | undefined;
  /** Which earlier grant a refund names, counted back; and how much more or less of it. A charge: of what kind. */
  readonly back: number;
  readonly off: number;
}

const needs = fc.oneof(
  { weight: 5, arbitrary: fc.integer({ min: 1, max: 5 }) },
  { weight: 3, arbitrary: fc.constantFrom(0.1, 0.3, 0.5, 0.9, 0.999999) },
  { weight: 1, arbitrary: fc.constantFrom(-1, -2) },
);

const waits = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 0, max: 30 }) },
  { weight: 4, arbitrary: fc.constantFrom(0.01, 0.09, 0.25, 0.51, 0.99, 1.01, 1.5, 2.5) },
  { weight: 2, arbitrary: fc.constantFrom(-1, -3, -0.2, -0.9, -1.2, -3.5) },
  { weight: 1, arbitrary: fc.constantFrom(100.5, 12_345.5) },
);

export const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    kind: fc.constantFrom<Step['kind']>('take', 'take', 'take', 'take', 'peek', 'refund', 'swap', 'charge', 'usage'),
    need: needs,
    more: fc.constantFrom(0, 0, 1, 4, 0.5),
    wait: waits,
    strength: fc.option(strengths, { nil: undefined, freq: 6 }),
    back: fc.nat({ max: 3 }),
    off: fc.constantFrom(0, 0, 0, -1, 2, 1000),
  }),
  { minLength: 1, maxLength: 25 },
);

/** Calls of one counter in order, and what the pure algorithm answers to each. */
export interface Played {
  readonly commands: ScriptCommand<unknown>[];
  readonly expected: unknown[];
  readonly trace: string[];
}

const LATEST_MS = 2 ** 53 - 2 ** 40;

/**
 * Turns steps into calls: the pure function plays along, since a refund must name what was granted before. With `forgets` its state is
 * dropped as soon as it is wholly free by what the last write said, and the clock does not step back.
 */
export function play(key: string, family: QuotaFamily, first: Strength, startMs: number, script: readonly Step[], forgets = false): Played {
  const algorithm = algorithmFor(family.algorithm);
  const played: Played = { commands: [], expected: [], trace: [] };
  const grants: { amount: number; bucket: number }[] = [];
  let quota: Quota = family.at(first);
  let state: CounterState | undefined;
  let nowMs = startMs;
  let written: CounterState | undefined;
  let freeAtMs = Infinity;

  const share = (of: number, part: number): number => (Number.isInteger(part) ? part : Math.floor(of * part));
  const note = (what: string, command: ScriptCommand<unknown>, expected: unknown): void => {
    played.commands.push(command);
    played.expected.push(expected);
    played.trace.push(`${what} of ${quota.limit}/${quota.windowMs} burst ${quota.burst} at ${nowMs}`);
  };

  for (const step of script) {
    if (forgets && state !== written) {
      written = state;
      freeAtMs = nowMs + algorithm.peek(state, quota, 0, nowMs).resetMs;
    }
    nowMs = Math.min(LATEST_MS, Math.max(forgets ? nowMs : 0, nowMs + share(family.windowMs, step.wait)));
    if (forgets && freeAtMs <= nowMs) state = undefined;
    if (step.strength !== undefined) quota = family.at(step.strength);
    // -1: the whole capacity, -2: one above it, which no counter can grant.
    const wish = step.need < 0 ? quota.burst - 1 - step.need : Math.max(1, share(quota.burst, step.need));
    const need = Math.min(wish, Number.MAX_SAFE_INTEGER);
    const want = Math.min(need + share(need, step.more), Number.MAX_SAFE_INTEGER);
    const earlier = grants.at(-1 - step.back) ?? { amount: need, bucket: Math.max(0, nowMs - 1) };
    const given = { amount: Math.max(0, Math.min(earlier.amount + step.off, Number.MAX_SAFE_INTEGER)), bucket: earlier.bucket };

    if (step.kind === 'peek') {
      const cost = step.more === 0 ? 0 : need;
      note(`peek ${cost}`, peekCommand(key, quota, cost, { nowMs }), algorithm.peek(state, quota, cost, nowMs));
      continue;
    }
    if (step.kind === 'usage') {
      note('usage', usageCommand(key, quota, nowMs), algorithm.usage(state, quota, nowMs));
      continue;
    }
    if (step.kind === 'refund') {
      const { refunded, state: after } = algorithm.refund(state, quota, given.amount, given.bucket, nowMs);
      state = after;
      note(`refund ${given.amount} of ${given.bucket}`, refundCommand(key, quota, given, nowMs), refunded);
      continue;
    }
    if (step.kind === 'charge') {
      const amount = step.off === 1000 ? Number.MAX_SAFE_INTEGER : want;
      const onlyIfAbsent = step.off === -1;
      const charged = algorithm.charge(state, quota, amount, nowMs, onlyIfAbsent);
      state = charged.state;
      if (charged.outcome.granted > 0) grants.push({ amount: charged.outcome.granted, bucket: charged.outcome.bucket });
      note(`charge ${amount}${onlyIfAbsent ? ' if absent' : ''}`, chargeCommand(key, quota, amount, { onlyIfAbsent, nowMs }), charged.outcome);
      continue;
    }
    const giveBack = step.kind === 'swap' ? given : undefined;
    if (giveBack !== undefined) state = algorithm.refund(state, quota, giveBack.amount, giveBack.bucket, nowMs).state;
    const taken = algorithm.take(state, quota, need, want, nowMs);
    state = taken.state;
    if (taken.outcome.granted > 0) grants.push({ amount: taken.outcome.granted, bucket: taken.outcome.bucket });
    const what = giveBack === undefined ? 'take' : `give back ${giveBack.amount} of ${giveBack.bucket}, take`;
    note(`${what} ${need}..${want}`, takeCommand(key, quota, need, want, { giveBack, nowMs }), taken.outcome);
  }
  return played;
}
