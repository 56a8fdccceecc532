import type { Caller } from '../../access/caller.js';
import { forbidden } from '../../problems/forbidden.js';

/**
 * Holds a tenant to what it may have its own decisions grouped by.
 *
 * @throws ProblemException 403
 */
export function onlyForTenants<By extends string>(caller: Caller, by: By | undefined, allowed: readonly By[]): void {
  if (caller.role === 'tenant' && by !== undefined && !allowed.includes(by)) throw forbidden(`A token of a tenant can ask by ${allowed.join(', ')}.`);
}
