import { DECISION_KINDS, type DecisionKind } from '@sluice/events';
import type { Caller } from '../../access/caller.js';
import { forbidden } from '../../problems/forbidden.js';

/**
 * The kinds that a query asks for. Which rules are being tried out is not a customer's business, and what showed no known credentials is nobody's: a tenant sees decisions.
 *
 * @throws ProblemException 403 where a tenant names another kind
 */
export function kindsOf(kind: DecisionKind | 'any' | undefined, caller: Caller): readonly DecisionKind[] {
  if (caller.role !== 'tenant') return kind === 'any' ? DECISION_KINDS : [kind ?? 'decision'];
  if (kind === 'shadow' || kind === 'unauthenticated') throw forbidden('A token of a tenant sees decisions only. Leave kind out.');
  return ['decision'];
}
