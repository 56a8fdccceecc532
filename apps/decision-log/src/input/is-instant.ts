import { ValidateBy } from 'class-validator';
import { isInstantMs } from './instant-ms.js';

/** Finer than the millisecond is cut. */
const RFC_3339 = /^((?:19[7-9]|[2-9]\d{2})\d)-(\d{2})-(\d{2})T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d)$/;

/** A date and time with a zone (ISO 8601, as RFC 3339 has it). */
export function IsInstant(): PropertyDecorator {
  return ValidateBy({
    name: 'isInstant',
    validator: {
      validate: isInstant,
      defaultMessage: () => 'must be given once, a date and time with a zone, such as 2026-01-31T14:02:00Z; in a URL a + is written %2B',
    },
  });
}

function isInstant(value: unknown): boolean {
  return instantOf(value) !== undefined;
}

/** Ms since the epoch of what {@link IsInstant} takes; undefined for anything else. */
export function instantOf(value: unknown): number | undefined {
  const parts = typeof value === 'string' ? RFC_3339.exec(value) : null;
  // 1970 begins in 1969 where the zone is ahead, and 9999 ends in 10000 where it is behind.
  if (parts === null || !isInstantMs(Date.parse(parts[0]))) return undefined;
  // Date.parse turns 30 February into 2 March.
  return Number(parts[3]) <= new Date(Date.UTC(Number(parts[1]), Number(parts[2]), 0)).getUTCDate() ? Date.parse(parts[0]) : undefined;
}
