import { quota as checkedQuota, type Quota, type QuotaInput } from '@sluice/algorithms';

/** A counter that was charged with the estimate of a reservation. */
export interface ReservedCharge {
  readonly key: string;
  readonly quota: Quota;
  /** What the charge went to, as a refund names it. */
  readonly bucket: number;
  /** The shared counter, or that of this node's fallback (R41). */
  readonly at: 'store' | 'fallback';
}

/** What has to be known to settle a reservation. */
export interface ReservationRecord {
  readonly estimate: number;
  readonly charges: readonly ReservedCharge[];
}

/** Of the format below; a node that does not know one leaves its reservations alone. */
const VERSION = 1;

/**
 * The record as text, for the store: it holds the quotas themselves, so that any node can settle it, whatever its rules are by then. All
 * charges are taken for those of the store.
 */
export function encodeRecord({ estimate, charges }: ReservationRecord): string {
  return JSON.stringify([VERSION, estimate, charges.map(({ key, bucket, quota }) => [key, bucket, quotaInput(quota)])]);
}

/** Undefined for what no version of {@link encodeRecord} wrote that is known here. */
export function decodeRecord(text: string): ReservationRecord | undefined {
  try {
    const [version, estimate, charges]: readonly unknown[] = Array.from(JSON.parse(text));
    if (version !== VERSION || !isPermits(estimate) || !Array.isArray(charges)) return undefined;
    return { estimate, charges: charges.map(decodeCharge) };
  } catch {
    return undefined;
  }
}

function decodeCharge(entry: unknown): ReservedCharge {
  const [key, bucket, input]: readonly unknown[] = Array.isArray(entry) ? entry : [];
  if (typeof key !== 'string' || !isPermits(bucket) || !isInput(input)) throw new TypeError('not a charge');
  return { key, bucket, quota: checkedQuota(input), at: 'store' };
}

/** Without what is the default anyway: a record is kept for each open reservation. */
function quotaInput({ algorithm, limit, windowMs, burst, subBuckets, shape, chargeDenied, calendar }: Quota): QuotaInput {
  return {
    algorithm,
    limit,
    windowMs,
    burst: burst === limit ? undefined : burst,
    subBuckets: subBuckets === 1 ? undefined : subBuckets,
    shape: shape || undefined,
    chargeDenied: chargeDenied || undefined,
    calendar,
  };
}

/** Its fields are checked by the builder of quotas. */
function isInput(value: unknown): value is QuotaInput {
  return typeof value === 'object' && value !== null && 'limit' in value;
}

function isPermits(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
