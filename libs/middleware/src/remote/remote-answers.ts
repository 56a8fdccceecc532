import type { Settlement } from '@sluice/limiter';

type Fields = Readonly<Record<string, unknown>>;

/** What the service answered to a settlement: 404 is a reservation that it does not know (any more); `undefined` for what is no such answer. */
export function settlementOf({ status, body }: { readonly status: number; readonly body: unknown }): Settlement | undefined {
  if (!isObject(body)) return undefined;
  if (status === 404) return { status: 'unknown', charged: 0, returned: 0, indebted: 0 };
  const { charged, returned, indebted } = body;
  return isCount(charged) && isCount(returned) && isCount(indebted) ? { status: 'settled', charged, returned, indebted } : undefined;
}

/** The error of a question that the service calls malformed, with what it says of it; `undefined` for a 400 that does not say so: not every 400 is the service's own. */
export function refusedQuestion({ contentType }: { readonly contentType: string }, problem: unknown): RangeError | undefined {
  const errors: unknown = isObject(problem) ? problem['errors'] : undefined;
  if (!contentType.startsWith('application/problem+json') || !Array.isArray(errors)) return undefined;
  const said = errors.filter(isObject).map(({ pointer, detail }) => `${String(pointer)} ${String(detail)}`);
  return said.length === 0 ? undefined : new RangeError(`the decision service does not take this question: ${said.join('; ')}`);
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
