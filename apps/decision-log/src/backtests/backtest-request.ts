import { createHash } from 'node:crypto';
import type { FieldFault } from '@sluice/platform';
import { canonicalText } from '@sluice/rules';
import { STANDARD_ATTRIBUTES, type StandardAttribute } from '@sluice/events';
import { invalid } from '../input/invalid.js';
import { instantOf } from '../input/is-instant.js';
import type { DecisionFilter } from '../store/decision-filter.js';

/** What a body asks for; the rules in it are not looked at yet. */
export interface BacktestRequest {
  readonly filter: DecisionFilter;
  /** A list, or changes. */
  readonly rules: unknown;
  /** When the set was in force that changes are made to, as it was sent; undefined: now. */
  readonly against: string | undefined;
  /** Names the request, whatever the notation of its times; undefined: the events that it is about are not all there yet, so the same one later is another. */
  readonly digest: string | undefined;
}

const FIELDS = ['from', 'to', 'rules', 'against', 'filter'];
const FILTERS: readonly string[] = [...STANDARD_ATTRIBUTES, 'region'];
const LONGEST_RANGE_MS = 31 * 86_400_000;
const LONGEST_VALUE = 256;
/** After it the events of a time are taken to be in the store. */
const SETTLED_AFTER_MS = 60_000;

/**
 * Reads the body of `BacktestBody` by hand: class-transformer copies every rule in it, field by field, and holds all other requests up.
 *
 * @throws ProblemException 400
 */
export function backtestRequest(body: unknown, nowMs = Date.now()): BacktestRequest {
  if (!isObject(body)) throw invalid([{ pointer: '', detail: 'must be an object' }]);
  const faults: FieldFault[] = Object.keys(body).flatMap((name) => (FIELDS.includes(name) ? [] : [{ pointer: pointer('', name), detail: `property ${name} should not exist` }]));
  const fromMs = instant(body, 'from', faults);
  const toMs = instant(body, 'to', faults);
  const againstMs = body['against'] === undefined ? undefined : instant(body, 'against', faults);
  if (body['rules'] === undefined) faults.push({ pointer: '/rules', detail: 'must be a list of rules, or an object with upsert and remove' });
  const filter = filterOf(body['filter'], faults);
  if (fromMs !== undefined && fromMs > nowMs) faults.push({ pointer: '/from', detail: `is in the future; it is ${new Date(nowMs).toISOString()}` });
  if (fromMs !== undefined && toMs !== undefined) {
    if (fromMs >= toMs) faults.push({ pointer: '/from', detail: 'must be before `to`' });
    else if (toMs - fromMs > LONGEST_RANGE_MS) faults.push({ pointer: '/from', detail: 'must be at most 31 days before `to`' });
  }
  if (faults.length > 0 || fromMs === undefined || toMs === undefined) throw invalid(faults);
  const against = typeof body['against'] === 'string' ? body['against'] : undefined;
  const what = { from: fromMs, to: toMs, filter: { ...filter.attributes, region: filter.region ?? '' }, rules: body['rules'], against: againstMs ?? 'now' };
  const digest = toMs > nowMs - SETTLED_AFTER_MS ? undefined : createHash('sha256').update(canonicalText(what)).digest('hex');
  return { filter: { ...filter, fromMs, toMs: Math.min(toMs, nowMs + 1) }, rules: body['rules'], against, digest };
}

function instant(body: Readonly<Record<string, unknown>>, name: string, faults: FieldFault[]): number | undefined {
  const atMs = instantOf(body[name]);
  if (atMs === undefined) faults.push({ pointer: `/${name}`, detail: 'must be a date and time with a zone, such as 2026-01-31T14:02:00Z' });
  return atMs;
}

function filterOf(filter: unknown, faults: FieldFault[]): Pick<DecisionFilter, 'region' | 'attributes'> {
  if (filter === undefined) return {};
  if (!isObject(filter)) {
    faults.push({ pointer: '/filter', detail: 'must be an object' });
    return {};
  }
  const attributes: Partial<Record<StandardAttribute, string>> = {};
  for (const [name, value] of Object.entries(filter)) {
    const at = pointer('/filter', name);
    if (!FILTERS.includes(name)) faults.push({ pointer: at, detail: `is none of ${FILTERS.join(', ')}` });
    else if (typeof value !== 'string' || value.length < 1 || value.length > LONGEST_VALUE || /[\0\p{Surrogate}]/u.test(value)) faults.push({ pointer: at, detail: `must be a string of 1 to ${LONGEST_VALUE} characters` });
    else if (name !== 'region') attributes[name as StandardAttribute] = value;
  }
  const { region } = filter;
  return { ...(typeof region === 'string' ? { region } : {}), ...(Object.keys(attributes).length > 0 ? { attributes } : {}) };
}

function pointer(parent: string, name: string): string {
  return `${parent}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
