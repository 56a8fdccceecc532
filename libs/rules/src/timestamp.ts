import type { Check } from './checks.js';

const ISO_8601 = /^(\d{4})-(\d{2})-(\d{2})T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/;

/** An ISO 8601 date and time with a zone; stays the text that it is. */
export const timestamp: Check<string> = (value, pointer, faults) => {
  if (typeof value === 'string' && isTimestamp(value)) return value;
  faults.push({ pointer, detail: 'must be an ISO 8601 date and time with a zone, such as 2027-01-31T12:00:00Z' });
  return undefined;
};

function isTimestamp(value: string): boolean {
  const parts = ISO_8601.exec(value);
  if (parts === null || Number.isNaN(Date.parse(value))) return false;
  // Date.parse turns 30 February into 2 March.
  const lastDay = new Date(Date.UTC(Number(parts[1]), Number(parts[2]), 0)).getUTCDate();
  return Number(parts[3]) <= lastDay;
}
