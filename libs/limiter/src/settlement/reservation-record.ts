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
  /** How many more there were that cannot be settled here: of a quota that this node does not take, or of a time zone that it does not know. Absent: none. */
  readonly illegible?: number;
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

/**
 * Each charge by itself: one that makes no sense here, such as that of a rule in shadow, keeps nobody from settling the others. Undefined for what no version of
 * {@link encodeRecord} wrote that is known here, and for a record of which nothing can be settled.
 */
export function decodeRecord(text: string): ReservationRecord | undefined {
  const [version, estimate, entries] = elementsOf(text);
  if (version !== VERSION || !isPermits(estimate) || !Array.isArray(entries)) return undefined;
  const charges = entries.flatMap((entry) => decodeCharge(entry) ?? []);
  const illegible = entries.length - charges.length;
  if (illegible === 0) return { estimate, charges };
  return charges.length === 0 ? undefined : { estimate, charges, illegible };
}

function elementsOf(text: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

function decodeCharge(entry: unknown): ReservedCharge | undefined {
  const [key, bucket, input]: readonly unknown[] = Array.isArray(entry) ? entry : [];
  if (typeof key !== 'string' || !isPermits(bucket) || !isInput(input)) return undefined;
  try {
    return { key, bucket, quota: checkedQuota(input), at: 'store' };
  } catch {
    return undefined;
  }
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
