import { Faults, type JsonPath } from '../input/faults.js';
import { isObject, isText } from '../input/shapes.js';
import type { FieldFault } from '@sluice/platform';
import type { RequestAttributes } from '@sluice/rules';
import { readDescriptors } from './descriptors.js';

/** A request of `POST /v1/ratelimit:check`, or one of a batch, checked. */
export interface CheckRequest {
  readonly attributes: RequestAttributes;
  /** 0 is a peek (R9). */
  readonly cost: number;
  /** `reserve` charges the cost as an estimate, to be settled by its id (R14). */
  readonly kind: 'check' | 'peek' | 'reserve';
  /** How long a reservation waits for its settlement; undefined: as the engine has it. */
  readonly ttlMs: number | undefined;
}

export type ParsedCheck = { readonly ok: true; readonly request: CheckRequest } | { readonly ok: false; readonly faults: readonly FieldFault[] };

/** UTF-16 units of the domain. */
const MAX_DOMAIN_LENGTH = 128;
const MAX_RESERVE_SECONDS = 86_400;
const NO_PATH: JsonPath = [];

/**
 * Reads `{domain, descriptors: [{key, value}], cost?, peek?, reserve?, reserve_seconds?}` (R72, R14). Descriptors become request attributes
 * by their key (`plan`, `endpoint`, `key_id`, `tenant_id`, `user_id`, `ip`, any other). Nothing is converted, and all faults are reported at once.
 */
export function parseCheckRequest(body: unknown): ParsedCheck {
  const faults = new Faults();
  const request = readCheck(body, NO_PATH, faults);
  return request === undefined ? { ok: false, faults: faults.all } : { ok: true, request };
}

/** @returns undefined when `faults` has been told why not; `path` is where the body stands in the whole */
export function readCheck(body: unknown, path: JsonPath, faults: Faults): CheckRequest | undefined {
  const before = faults.count;
  if (!isObject(body)) {
    faults.add(path, undefined, 'must be a JSON object');
    return undefined;
  }
  // A loop over the names, and not a look for each: most have two of them.
  let [domain, descriptors]: [unknown, unknown] = [undefined, undefined];
  let [cost, peek, reserve, seconds]: [unknown, unknown, unknown, unknown] = [1, false, false, undefined];
  for (const name in body) {
    const value = body[name];
    if (name === 'domain') domain = value;
    else if (name === 'descriptors') descriptors = value;
    else if (name === 'cost') cost = value;
    else if (name === 'peek') peek = value;
    else if (name === 'reserve') reserve = value;
    else if (name === 'reserve_seconds') seconds = value;
    else faults.add(path, name, 'is not a known field');
  }
  if (!isText(domain, 1, MAX_DOMAIN_LENGTH)) faults.add(path, 'domain', `must be a string of 1 to ${MAX_DOMAIN_LENGTH} characters`);
  const attributes = readDescriptors(descriptors, typeof domain === 'string' ? domain : '', path, faults);
  if (!isCost(cost)) faults.add(path, 'cost', 'must be an integer from 0 to 9007199254740991');
  else if (cost === 0 && reserve === true) faults.add(path, 'cost', 'must be at least 1 where it is reserved');
  if (typeof peek !== 'boolean') faults.add(path, 'peek', 'must be true or false');
  if (typeof reserve !== 'boolean') faults.add(path, 'reserve', 'must be true or false');
  else if (reserve && peek === true) faults.add(path, 'reserve', 'must not be true together with peek, which charges nothing');
  if (seconds !== undefined) refuseSeconds(seconds, reserve, path, faults);
  if (faults.count > before) return undefined;
  const ttlMs = typeof seconds === 'number' ? Math.round(seconds * 1000) : undefined;
  return { attributes, cost: Number(cost), kind: reserve === true ? 'reserve' : peek === true ? 'peek' : 'check', ttlMs };
}

function refuseSeconds(seconds: unknown, reserve: unknown, path: JsonPath, faults: Faults): void {
  const fits = typeof seconds === 'number' && seconds >= 0.001 && seconds <= MAX_RESERVE_SECONDS && Math.round(seconds * 1000) / 1000 === seconds;
  if (!fits) faults.add(path, 'reserve_seconds', `must be a number from 0.001 to ${MAX_RESERVE_SECONDS}, in whole milliseconds`);
  else if (reserve === false) faults.add(path, 'reserve_seconds', 'must not be there without reserve');
}

function isCost(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
