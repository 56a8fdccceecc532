import { type Parsed, variable, type Variable, type VariableName } from '@sluice/platform';

/** Requests that one address may make in a window; a burst may be as large. */
export interface EdgeLimit {
  /** 1 to 1,000,000. */
  readonly limit: number;
  /** 100 ms to an hour. */
  readonly windowMs: number;
}

const SHAPE = /^(\d{1,7})\/(\d{1,4})(ms|s|m|h)$/;
const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** A limit as `200/1s`: so many requests in a span. */
export function edgeLimit(name: VariableName): Variable<EdgeLimit> {
  return variable<EdgeLimit>(name, {}, parseEdgeLimit);
}

function parseEdgeLimit(value: string): Parsed<EdgeLimit> {
  const [, requests = '', span = '', unit = ''] = SHAPE.exec(value) ?? [];
  const limit = Number(requests);
  const windowMs = Number(span) * (UNIT_MS[unit] ?? Number.NaN);
  if (limit >= 1 && limit <= 1_000_000 && windowMs >= 100 && windowMs <= 3_600_000) return { ok: true, value: { limit, windowMs } };
  return { ok: false, why: `${JSON.stringify(value)} is not a limit such as 200/1s: 1 to 1000000 requests in 100ms to 1h` };
}
