import { overrideFault, type Rule } from '@sluice/rules';
import type { EntityManager } from 'typeorm';
import { inUse } from '../input/in-use.js';

interface Burst {
  readonly id: string;
  /** bigint, as text. */
  readonly limit: string;
  readonly burst: string;
}

/**
 * Live overrides of a rule that would not fit what it is proposed to become: with them it could not be promoted. Only those with a burst can be wrong.
 *
 * @throws ProblemException 409 that names one
 */
export async function refuseOverridesInTheWay(manager: EntityManager, rule: Rule): Promise<void> {
  const found = await manager.query<readonly Burst[]>(
    `SELECT override_id AS id, "limit", burst FROM override WHERE rule_id = $1 AND burst IS NOT NULL AND expires_at > clock_timestamp() ORDER BY override_id`,
    [rule.rule_id],
  );
  for (const { id, limit, burst } of found) {
    const fault = overrideFault({ rule_id: rule.rule_id, limit: Number(limit), burst: Number(burst) }, rule, '');
    if (fault !== undefined) throw inUse(`Rule ${rule.rule_id}`, `the live override ${id}, whose ${fault.pointer.slice(1)} ${fault.detail}`);
  }
}
