import { outrankedRules, type Override, RULE_DEFAULTS, type Rule } from '@sluice/rules';
import type { EntityManager } from 'typeorm';
import { nameSome } from '../input/name-some.js';
import { ruleJson } from '../rules/rule-json.js';
import type { RuleRow } from '../rules/rule.entity.js';

/** Rules that a remark names. */
const MOST_NAMED = 20;

/** What an override does beside rules and overrides that are there: the rules that it switches off for its key, and a live override that goes first. */
export async function neighbourRemarks(manager: EntityManager, override: Override, target: Rule, keyPlan: string): Promise<readonly string[]> {
  const remarks: string[] = [];
  const first = await overrideInFront(manager, override);
  if (first !== undefined) remarks.push(`The override ${first.id} of the same rule and key goes first, until ${first.expiresAt.toISOString()}: this one does nothing before.`);
  const isInForce = (target.mode ?? RULE_DEFAULTS.mode) === 'enforce' && (target.plan ?? keyPlan) === keyPlan;
  const outranked = isInForce ? outrankedRules(target, override.key_id, await rivalsOf(manager, target, keyPlan)).map(({ rule_id }) => rule_id) : [];
  if (outranked.length > 0) {
    remarks.push(
      `The override goes before every rule of its policy, so that more specific ones do not hold for this key where it applies: ${nameSome(outranked, MOST_NAMED)}. To keep such a rule in force beside it, give the rule a policy of its own.`,
    );
  }
  return remarks;
}

/** The live override that nodes take instead, for now. Of several the one that expires first applies, then that with the smaller limit, then by id. */
async function overrideInFront(manager: EntityManager, { override_id, rule_id, key_id, limit, expires_at }: Override): Promise<{ readonly id: string; readonly expiresAt: Date } | undefined> {
  const [first] = await manager.query<{ readonly id: string; readonly expiresAt: Date }[]>(
    `SELECT override_id AS id, expires_at AS "expiresAt" FROM override
     WHERE rule_id = $1 AND key_id = $2 AND override_id <> $3 AND expires_at > clock_timestamp()
       AND (expires_at, "limit", override_id COLLATE "C") < ($4::timestamptz, $5::bigint, $3::text COLLATE "C")
     ORDER BY expires_at, "limit", override_id COLLATE "C" LIMIT 1`,
    [rule_id, key_id, override_id, expires_at, limit],
  );
  return first;
}

type Rival = Pick<RuleRow, 'id' | 'plan' | 'endpoint'> & { readonly domain: string | null; readonly descriptors: Rule['descriptors'] | null };

/** Enforced rules of the target's policy that requests of the plan can meet, as far as what they match goes. The version lock is held: no entities, no quotas. */
async function rivalsOf(manager: EntityManager, { rule_id, policy = RULE_DEFAULTS.policy }: Rule, keyPlan: string): Promise<readonly Rule[]> {
  const rows = await manager.query<readonly Rival[]>(
    `SELECT rule_id AS id, plan, endpoint, definition ->> 'domain' AS domain, definition -> 'descriptors' AS descriptors FROM rule
     WHERE (plan IS NULL OR plan = $1) AND rule_id <> $2 AND coalesce(definition ->> 'policy', '${RULE_DEFAULTS.policy}') = $3 AND coalesce(definition ->> 'mode', 'enforce') = 'enforce'
     ORDER BY rule_id`,
    [keyPlan, rule_id, policy],
  );
  return rows.map(({ id, plan, endpoint, domain, descriptors }) =>
    ruleJson({ id, plan, endpoint, version: 1, definition: { limit: 1, window_seconds: 1, policy, ...(domain === null ? {} : { domain }), ...(descriptors ? { descriptors } : {}) } }),
  );
}
