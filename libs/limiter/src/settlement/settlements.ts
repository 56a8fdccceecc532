import { reservationKey } from '@sluice/lua-scripts';
import type { Clock } from '../clock.js';
import type { Decision } from '../decision.js';
import type { LimiterStats } from '../limiter-stats.js';
import { ExpiringMap } from '../store/expiring-map.js';
import { StoreFault } from '../store/store-fault.js';
import { adjust, type AdjustParts } from './adjust.js';
import type { Reservation, ReserveOptions } from './reservation.js';
import { isReservationId, newReservationId } from './reservation-id.js';
import { decodeRecord, encodeRecord, type ReservationRecord, type ReservedCharge } from './reservation-record.js';
import { type Settlement, UNAVAILABLE, UNKNOWN } from './settlement.js';

export interface SettlementsParts extends AdjustParts {
  readonly clock: Clock;
  readonly stats: LimiterStats;
  readonly keyPrefix: string;
}

const LEAST_TTL_MS = 1_000;
const GREATEST_DEFAULT_TTL_MS = 3_600_000;
const GREATEST_TTL_MS = 86_400_000;
/** Reservations in the memory of a node, which it makes only while the store is away; beyond it the oldest is forgotten: its estimate stands. */
const MOST_HERE = 100_000;
/** As long as the store hands a record again to the claimant that it went to. */
const CLAIM_MS = 10_000;

/**
 * Costs that are known only afterwards (R14): what was reserved is settled once, by whichever node claims the record first, and the
 * difference goes back to where it was charged, or is charged as debt.
 */
export class Settlements {
  private readonly here = new ExpiringMap<ReservationRecord>(MOST_HERE);
  /** By reservation: the claimant whose claim was not answered. It may have got the record, so it has to be the one that asks again. */
  private readonly unanswered = new ExpiringMap<string>(MOST_HERE);

  /** By reservation: the settlement under way. Two claimants of one node would not know which of them has the record, if neither is answered. */
  private readonly underWay = new Map<string, Promise<Settlement>>();

  constructor(private readonly parts: SettlementsParts) {}

  /** Keeps what a decision charged until it is settled: in the store, else in this node. */
  async reserve(decision: Decision, { ttlMs }: ReserveOptions): Promise<Reservation> {
    if (!decision.allowed) return { decision, id: undefined, expiresAtMs: undefined };
    const { store, clock, stats, keyPrefix } = this.parts;
    const charges = chargesOf(decision);
    const record = { estimate: decision.cost, charges };
    const lifeMs = ttlMs ?? defaultTtlMs(charges);
    const nowMs = clock.nowMs();
    const expiresAtMs = nowMs + stats.storeOffsetMs + lifeMs;
    stats.reservations += 1;
    if (charges.every(({ at }) => at === 'store')) {
      const id = newReservationId();
      const fault = await store.reserve(reservationKey(id, keyPrefix), encodeRecord(record), lifeMs);
      if (fault === undefined) return { decision, id, expiresAtMs };
    }
    // Under an id of its own: the store may have kept the other one though its answer did not come, and then two nodes could settle.
    const id = newReservationId();
    this.here.put(id, record, nowMs + lifeMs, nowMs);
    return { decision, id, expiresAtMs };
  }

  /** Settles a reservation, if nobody has (see {@link Settlement}). */
  async settle(id: string, actual: number): Promise<Settlement> {
    if (!isReservationId(id)) return UNKNOWN;
    const first = this.underWay.get(id);
    if (first !== undefined) return (await first).status === 'unavailable' ? UNAVAILABLE : UNKNOWN;
    const settling = this.settleAlone(id, actual);
    this.underWay.set(id, settling);
    try {
      return await settling;
    } finally {
      this.underWay.delete(id);
    }
  }

  private async settleAlone(id: string, actual: number): Promise<Settlement> {
    const record = this.here.take(id, this.parts.clock.nowMs()) ?? (await this.claim(id));
    if (record instanceof StoreFault) return UNAVAILABLE;
    return record === undefined ? UNKNOWN : this.apply(id, record, actual - record.estimate);
  }

  private async claim(id: string): Promise<ReservationRecord | undefined | StoreFault> {
    const { store, clock, keyPrefix, stats } = this.parts;
    const claimant = this.unanswered.take(id, clock.nowMs()) ?? newReservationId();
    const text = await store.claim(reservationKey(id, keyPrefix), claimant);
    if (text === undefined) return undefined;
    if (text instanceof StoreFault) {
      const nowMs = clock.nowMs();
      this.unanswered.put(id, claimant, nowMs + CLAIM_MS, nowMs);
      return text;
    }
    const record = decodeRecord(text);
    if (record === undefined) stats.settlementsLost += 1;
    return record;
  }

  private async apply(id: string, { estimate, charges, illegible = 0 }: ReservationRecord, difference: number): Promise<Settlement> {
    const { stats, clock } = this.parts;
    const unsent: ReservedCharge[] = [];
    let [moved, lost, charged] = [0, Math.min(Number.MAX_SAFE_INTEGER, illegible * Math.abs(difference)), 0];
    for (const { charge, answer } of await adjust(this.parts, charges, difference)) {
      if (answer instanceof StoreFault && answer.kind === 'open') {
        unsent.push(charge);
        continue;
      }
      const permits = answer instanceof StoreFault ? 0 : answer;
      if (answer instanceof StoreFault) lost = sum(lost, Math.abs(difference));
      else if (difference > 0) stats.forgiven = sum(stats.forgiven, difference - permits);
      moved = sum(moved, permits);
      charged = sum(charged, difference > 0 ? sum(estimate, permits) : estimate - permits);
    }
    if (lost > 0) {
      stats.unsettled = sum(stats.unsettled, lost);
      stats.settlementsLost += 1;
    }
    const [returned, indebted] = difference < 0 ? [moved, 0] : [0, moved];
    if (unsent.length === 0) {
      stats.settlements += 1;
      return { status: 'settled', charged, returned, indebted };
    }
    // Nothing of these has been sent, so they can be tried again, and only here: the record is claimed.
    const nowMs = clock.nowMs();
    this.here.put(id, { estimate, charges: unsent }, nowMs + defaultTtlMs(unsent), nowMs);
    return { status: 'unavailable', charged, returned, indebted };
  }
}

/** @throws RangeError for what is no estimate of at least one permit, or no time to live. */
export function requireReservable(estimate: number, { ttlMs = LEAST_TTL_MS }: ReserveOptions): void {
  requireInteger('estimate', estimate, 1, Number.MAX_SAFE_INTEGER);
  requireInteger('ttlMs', ttlMs, 1, GREATEST_TTL_MS);
}

/** @throws RangeError for what is no amount of permits. */
export function requireActual(actual: number): void {
  requireInteger('actual', actual, 0, Number.MAX_SAFE_INTEGER);
}

function requireInteger(name: string, value: number, least: number, most: number): void {
  const fits = Number.isSafeInteger(value) && value >= least && value <= most;
  if (!fits) throw new RangeError(`${name} must be an integer from ${least} to ${most}, got ${String(value)}`);
}

/** Shadow rules count what they would have charged, so they are settled as well (R58). */
function chargesOf({ policies, shadow }: Decision): readonly ReservedCharge[] {
  return [...policies, ...shadow].flatMap(({ charge, source }) => {
    if (charge === undefined) return [];
    const { key, quota, bucket } = charge;
    return [{ key, quota, bucket, at: source === 'fallback' ? 'fallback' : 'store' }];
  });
}

/** As long as the charge counts at most: later there is nothing to give back. */
function defaultTtlMs(charges: readonly ReservedCharge[]): number {
  const longestMs = charges.reduce((most, { quota }) => Math.max(most, quota.windowMs), LEAST_TTL_MS);
  return Math.min(longestMs, GREATEST_DEFAULT_TTL_MS);
}

/** 2^53-1 at most (R10). */
function sum(a: number, b: number): number {
  return Math.min(Number.MAX_SAFE_INTEGER, a + b);
}
