import type { Settlement } from '@sluice/limiter';

type Fields = Readonly<Record<string, unknown>>;

/** What the service answered to a settlement: 404 is a reservation that it does not know (any more). */
export function settlementOf({ status, body }: { readonly status: number; readonly body: unknown }): Settlement {
  if (status !== 200 || !isObject(body)) return { status: 'unknown', charged: 0, returned: 0, indebted: 0 };
  const { charged, returned, indebted } = body;
  return { status: 'settled', charged: number(charged), returned: number(returned), indebted: number(indebted) };
}

/** The error of a question that the service calls malformed, with what it says of it. */
export function refusedQuestion(problem: unknown): RangeError {
  const errors: unknown = isObject(problem) ? problem['errors'] : undefined;
  const said = Array.isArray(errors) ? errors.filter(isObject).map(({ pointer, detail }) => `${String(pointer)} ${String(detail)}`) : [];
  return new RangeError(`the decision service does not take this question: ${said.length === 0 ? 'it does not say why' : said.join('; ')}`);
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function number(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}
