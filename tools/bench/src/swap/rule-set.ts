import type { Override, Rule, Snapshot, SnapshotDelta } from '@sluice/rules';

const RULES = 5_000;
const OVERRIDES = 10_000;
const PLANS = 20;
/** Rules that change from one version to the next, and with each of them its two overrides. */
const CHANGED = 25;

/** A request attribute set that meets the rules; every other caller has an override. */
export function attributesOf(at: number): { plan: string; endpoint: string; key_id: string } {
  return { plan: `plan-${at % PLANS}`, endpoint: endpointOf(at % RULES), key_id: `key-${at % (2 * OVERRIDES)}` };
}

/** All rules as they are at a version: 5,000 for plan and endpoint, of which some ask for a tenant, and 10,000 overrides. */
export function ruleSetAt(version: number): Snapshot {
  return {
    version,
    plans: Array.from({ length: PLANS }, (_, at) => ({ plan_id: `plan-${at}`, default_limit: { limit: 600, window_seconds: 60 } })),
    rules: Array.from({ length: RULES }, (_, at) => ruleAt(at, version)),
    overrides: Array.from({ length: OVERRIDES }, (_, at) => overrideAt(at, version)).filter(({ override_id }) => override_id !== deletedAt(version)),
  };
}

/** What changed from the version before. */
export function changesAt(version: number): SnapshotDelta {
  const changed = Array.from({ length: CHANGED }, (_, at) => (version * CHANGED + at) % RULES);
  const overrides = [...changed, ...changed.map((at) => at + RULES)].map((at) => overrideAt(at, version));
  const back = overrideAt((version - 1) % OVERRIDES, version);
  const gone = deletedAt(version);
  return {
    since: version - 1,
    version,
    rules: changed.map((at) => ruleAt(at, version)),
    deleted_rules: [],
    plans: [],
    deleted_plans: [],
    overrides: [...overrides, back].filter(({ override_id }) => override_id !== gone),
    deleted_overrides: [gone],
  };
}

/** How often this one has changed up to a version. */
function changesOf(at: number, version: number): number {
  const period = RULES / CHANGED;
  const first = Math.floor((at % RULES) / CHANGED) || period;
  return version < first ? 0 : 1 + Math.floor((version - first) / period);
}

function ruleAt(at: number, version: number): Rule {
  const changes = changesOf(at, version);
  return {
    rule_id: `rule-${at}`,
    version: 1 + changes,
    plan: `plan-${at % PLANS}`,
    endpoint: endpointOf(at),
    algorithm: at % 2 === 0 ? 'sliding_counter' : 'token_bucket',
    limit: 1_000_000 + changes,
    window_seconds: 60,
    ...(at % 5 === 0 ? { descriptors: { tenant_id: `tenant-${at}` }, count_by: ['tenant_id'] } : {}),
  };
}

function overrideAt(at: number, version: number): Override {
  return { override_id: `override-${at}`, rule_id: `rule-${at % RULES}`, key_id: `key-${at}`, limit: 2_000_000 + changesOf(at, version), expires_at: '2035-01-01T00:00:00Z' };
}

function deletedAt(version: number): string {
  return `override-${version % OVERRIDES}`;
}

function endpointOf(at: number): string {
  const route = Math.floor(at / PLANS);
  return `${['GET', 'POST', 'PUT'][route % 3] ?? ''} /v1/area${route % 50}/{id}/part${Math.floor(route / 50)}`;
}
