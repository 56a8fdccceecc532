import type { DecisionEvent } from '@sluice/events';
import type { InForce } from '../../control-plane/in-force.js';
import type { KeySince } from './facts.js';

/**
 * What became of the key of a request. Ids of keys come back: what applies to the key now concerns whoever has it, and says nothing to who had it then.
 *
 * @param inForce of the event's attributes; undefined while the control plane cannot be asked
 */
export function keySince({ attributes: { tenant_id: tenantId } }: DecisionEvent, inForce: InForce | undefined): KeySince {
  if (inForce === undefined) return 'unknown';
  if (inForce.keyGone === true) return 'gone';
  return inForce.tenantId === undefined || tenantId === undefined || inForce.tenantId === tenantId ? 'same' : 'moved';
}
