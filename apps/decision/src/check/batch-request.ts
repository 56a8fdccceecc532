import type { FieldFault } from '@sluice/platform';
import { Faults } from '../input/faults.js';
import { isObject } from '../input/shapes.js';
import { type CheckRequest, readCheck } from './check-request.js';

export type ParsedBatch = { readonly ok: true; readonly checks: readonly CheckRequest[] } | { readonly ok: false; readonly faults: readonly FieldFault[] };

export const MAX_CHECKS = 1000;

/** Reads `{checks: [<body of a check>, …]}`; one malformed check refuses all, with pointers such as `/checks/3/cost`. */
export function parseBatchRequest(body: unknown): ParsedBatch {
  const faults = new Faults();
  const checks: CheckRequest[] = [];
  if (!isObject(body)) faults.add([], undefined, 'must be a JSON object');
  else {
    for (const name in body) if (name !== 'checks') faults.add([], name, 'is not a known field');
    const given = body['checks'];
    if (!Array.isArray(given) || given.length < 1 || given.length > MAX_CHECKS) faults.add([], 'checks', `must be an array of 1 to ${MAX_CHECKS} checks`);
    else {
      for (let at = 0; at < given.length && !faults.isFull; at += 1) {
        const check = readCheck(given[at], ['checks', at], faults);
        if (check !== undefined) checks.push(check);
      }
    }
  }
  return faults.count > 0 ? { ok: false, faults: faults.all } : { ok: true, checks };
}
