import { type FieldFault, jsonPointer } from '@sluice/platform';
import type { DenyStatus } from './authorize-answer.js';

/** What the proxy's configuration says about the requests that it asks about. */
export interface AuthorizeQuery {
  /** Attribute `domain`. */
  readonly domain: string | undefined;
  /** Attribute `rule`. */
  readonly rule: string | undefined;
  /** 0 only looks. With {@link reserve} an estimate. */
  readonly cost: number;
  /** Answer of a refusal. */
  readonly denyStatus: DenyStatus;
  readonly keys: 'required' | 'optional' | 'none';
  /** Which fields the proxy writes: `X-Original-*` or `X-Forwarded-*`. Undefined: those that are there, if they are of one kind. */
  readonly fields: 'original' | 'forwarded' | undefined;
  /** What a shaper would hold back for longer is refused at once. */
  readonly maxDelayMs: number;
  readonly reserve: boolean;
  readonly reserveTtlMs: number | undefined;
}

export type ParsedQuery = { readonly ok: true; readonly query: AuthorizeQuery } | { readonly ok: false; readonly faults: readonly FieldFault[] };

type Fits = (value: string) => boolean;

const MAX_RESERVE_SECONDS = 86_400;
/** Well below what proxies wait for an answer: one that gives up and passes all would take a shaper for a service that is away. */
const DEFAULT_MAX_DELAY_MS = 500;
const MOST_MAX_DELAY_MS = 600_000;

const isName: Fits = (value) => value.length >= 1 && value.length <= 128;
const oneOf =
  (...choices: readonly string[]): Fits =>
  (value) =>
    choices.includes(value);
const integer =
  (min: number, max: number): Fits =>
  (value) => {
    const number = /^\d{1,16}$/.test(value) ? Number(value) : Number.NaN;
    return Number.isSafeInteger(number) && number >= min && number <= max;
  };

/** Each parameter with what it must be. */
const PARAMETERS: ReadonlyMap<string, readonly [Fits, string]> = new Map([
  ['domain', [isName, 'must have 1 to 128 characters']],
  ['rule', [isName, 'must have 1 to 128 characters']],
  ['cost', [integer(0, Number.MAX_SAFE_INTEGER), 'must be an integer from 0 to 9007199254740991']],
  ['deny_status', [oneOf('401', '403', '429'), 'must be 401, 403 or 429']],
  ['keys', [oneOf('required', 'optional', 'none'), 'must be required, optional or none']],
  ['fields', [oneOf('original', 'forwarded'), 'must be original or forwarded']],
  ['max_delay_ms', [integer(0, MOST_MAX_DELAY_MS), `must be an integer from 0 to ${MOST_MAX_DELAY_MS}`]],
  ['reserve', [oneOf('true', 'false'), 'must be true or false']],
  ['reserve_seconds', [integer(1, MAX_RESERVE_SECONDS), `must be an integer from 1 to ${MAX_RESERVE_SECONDS}`]],
]);

/** Reads the query of `/v1/authorize`. Unknown parameters are faults: a misspelt one would be no limit, silently. */
export function parseAuthorizeQuery(text: string): ParsedQuery {
  const faults: FieldFault[] = [];
  const given = new Map<string, string>();
  for (const [parameter, value] of new URLSearchParams(text)) {
    const pointer = jsonPointer(['query', parameter]);
    const [fits, detail] = PARAMETERS.get(parameter) ?? [];
    if (fits === undefined || detail === undefined) faults.push({ pointer, detail: `is not known here; known are ${[...PARAMETERS.keys()].join(', ')}` });
    else if (given.has(parameter)) faults.push({ pointer, detail: 'must be given once' });
    else if (!fits(value)) faults.push({ pointer, detail });
    given.set(parameter, value);
  }
  const reserve = given.get('reserve') === 'true';
  if (reserve && Number(given.get('cost') ?? 1) === 0) faults.push({ pointer: '/query/cost', detail: 'must be at least 1 with reserve' });
  if (!reserve && given.has('reserve_seconds')) faults.push({ pointer: '/query/reserve_seconds', detail: 'needs reserve=true' });
  return faults.length > 0 ? { ok: false, faults } : { ok: true, query: queryOf(given, reserve) };
}

function queryOf(given: ReadonlyMap<string, string>, reserve: boolean): AuthorizeQuery {
  const seconds = given.get('reserve_seconds');
  const denyStatus = given.get('deny_status');
  const keys = given.get('keys');
  const fields = given.get('fields');
  return {
    domain: given.get('domain'),
    rule: given.get('rule'),
    cost: Number(given.get('cost') ?? 1),
    denyStatus: denyStatus === '401' ? 401 : denyStatus === '403' ? 403 : 429,
    keys: keys === 'required' || keys === 'none' ? keys : 'optional',
    fields: fields === 'original' || fields === 'forwarded' ? fields : undefined,
    maxDelayMs: Number(given.get('max_delay_ms') ?? DEFAULT_MAX_DELAY_MS),
    reserve,
    reserveTtlMs: seconds === undefined ? undefined : Number(seconds) * 1_000,
  };
}
