import type { FieldFault } from '@sluice/platform';
import { Faults } from '../input/faults.js';
import { isObject, isText } from '../input/shapes.js';

export type ParsedSettlement =
  | { readonly ok: true; readonly decisionId: string; readonly cost: number }
  | { readonly ok: false; readonly faults: readonly FieldFault[] };

const MAX_ID_LENGTH = 128;

/** Reads `{decision_id, cost}`; `withCost` false: `{decision_id}`, which stands for a cost of 0. No fault names the id. */
export function parseSettlement(body: unknown, withCost: boolean): ParsedSettlement {
  const faults = new Faults();
  if (!isObject(body)) {
    faults.add([], undefined, 'must be a JSON object');
    return { ok: false, faults: faults.all };
  }
  for (const name in body) if (name !== 'decision_id' && (name !== 'cost' || !withCost)) faults.add([], name, 'is not a known field');
  const { decision_id: id, cost } = body;
  if (!isText(id, 1, MAX_ID_LENGTH)) faults.add([], 'decision_id', 'must be the decision_id of a check with reserve');
  const amount = withCost ? cost : 0;
  const fits = typeof amount === 'number' && Number.isSafeInteger(amount) && amount >= 0;
  if (!fits) faults.add([], 'cost', 'must be an integer from 0 to 9007199254740991');
  return faults.count === 0 && typeof id === 'string' && fits ? { ok: true, decisionId: id, cost: amount } : { ok: false, faults: faults.all };
}
