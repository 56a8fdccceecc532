import { atOnce, reviewRulesSteps, validateSnapshotSteps, type Fault, type Plan, type Rule, type ShadowedRule, type Snapshot, type Steps } from '@sluice/rules';

/** A set that can be replayed, or everything that is wrong with what was proposed. */
export type Proposed =
  | { readonly ok: true; readonly snapshot: Snapshot; readonly warnings: readonly ShadowedRule[]; /** Overrides in force whose rule is gone. */ readonly overridesLeftOut: number }
  | { readonly ok: false; readonly faults: readonly Fault[] };

type Json = Readonly<Record<string, unknown>>;

/** A rule of the new set, and where it stands in the document. */
interface Placed {
  readonly pointer: string;
  readonly rule: unknown;
}

const NOTHING: Snapshot = { version: 0, plans: [], rules: [], overrides: [] };
/** Sets can be made up in which each rule has to be compared with each; then warnings are missing. */
const MOST_COMPARISONS = 2_000_000;
const LISTS = ['upsert', 'remove'];

/**
 * The snapshot that a proposal comes to: a list is the whole set of rules, `{"upsert": […], "remove": […]}` changes the one in force. Rules are as the API has them; a `version` need not be there. Plans and
 * overrides are those in force, but for overrides of rules that are gone.
 *
 * @param pointer where the proposal stands in its document, for faults
 */
export function proposedSnapshot(proposal: unknown, inForce: Snapshot = NOTHING, pointer = ''): Proposed {
  return atOnce(proposedSnapshotSteps(proposal, inForce, pointer));
}

/** As {@link proposedSnapshot}, in small steps, for who answers others on the same thread. */
export function* proposedSnapshotSteps(proposal: unknown, inForce: Snapshot, pointer: string): Steps<Proposed> {
  const placed = isObject(proposal) ? changed(proposal, inForce, pointer) : whole(proposal, pointer);
  return Array.isArray(placed) ? yield* checked(placed, inForce, pointer) : placed;
}

/** Plans that rules name, for a file that has none: so that its rules need no list of them. */
export function plansNamedBy(rules: readonly unknown[]): readonly Plan[] {
  const names = rules.flatMap((rule) => (isObject(rule) && typeof rule['plan'] === 'string' ? [rule['plan']] : []));
  return [...new Set(names)].map((plan_id) => ({ plan_id }));
}

function whole(proposal: unknown, pointer: string): Placed[] | Proposed {
  if (!Array.isArray(proposal)) return faulty(pointer, 'must be a list of rules, or an object with upsert and remove');
  return proposal.map((rule: unknown, at) => ({ pointer: `${pointer}/${at}`, rule }));
}

function changed(proposal: Json, { rules }: Snapshot, pointer: string): Placed[] | Proposed {
  const { upsert = [], remove = [] } = proposal;
  const unknown = Object.keys(proposal).filter((name) => !LISTS.includes(name));
  if (unknown.length > 0) return { ok: false, faults: unknown.map((name) => ({ pointer: `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, detail: 'is not known: upsert and remove are' })) };
  if (!Array.isArray(upsert)) return faulty(`${pointer}/upsert`, 'must be a list of rules');
  if (!Array.isArray(remove)) return faulty(`${pointer}/remove`, 'must be a list of rule ids');
  const there = new Set(rules.map(({ rule_id }) => rule_id));
  const faults = remove.flatMap((id: unknown, at) => (typeof id === 'string' && there.has(id) ? [] : [{ pointer: `${pointer}/remove/${at}`, detail: 'must be the id of a rule in force' }]));
  if (faults.length > 0) return { ok: false, faults };
  const placed = upsert.map((rule: unknown, at) => ({ pointer: `${pointer}/upsert/${at}`, rule }));
  const replaced = new Set([...remove, ...placed.map(({ rule }) => (isObject(rule) ? rule['rule_id'] : undefined))]);
  return [...rules.filter(({ rule_id }) => !replaced.has(rule_id)).map((rule) => ({ pointer, rule })), ...placed];
}

function* checked(placed: readonly Placed[], inForce: Snapshot, root: string): Steps<Proposed> {
  const versions = new Map(inForce.rules.map(({ rule_id, version }) => [rule_id, version]));
  const rules = placed.map(({ rule }) => (isObject(rule) ? { ...rule, version: versionOf(rule, versions) } : rule));
  const ids = new Set([...rules.map((rule) => (isObject(rule) ? rule['rule_id'] : undefined)), ...inForce.plans.flatMap(({ plan_id, default_limit }) => (default_limit === undefined ? [] : [`plan:${plan_id}`]))]);
  const overrides = inForce.overrides.filter(({ rule_id }) => ids.has(rule_id));
  const validated = yield* validateSnapshotSteps({ version: inForce.version, plans: inForce.plans, rules, overrides });
  if (!validated.ok) return { ok: false, faults: validated.faults.map((fault) => ({ ...fault, pointer: pointerIn(fault.pointer, placed, root) })) };
  const review = yield* reviewRulesSteps(validated.value.rules, validated.value.plans, MOST_COMPARISONS);
  if (review.faults.length > 0) return { ok: false, faults: review.faults.map((fault) => ({ ...fault, pointer: pointerIn(fault.pointer, placed, root) })) };
  const warnings = review.warnings.map((warning) => ({ ...warning, pointer: pointerIn(warning.pointer, placed, root) }));
  return { ok: true, snapshot: validated.value, warnings, overridesLeftOut: inForce.overrides.length - overrides.length };
}

function versionOf(rule: Json, versions: ReadonlyMap<string, number>): Rule['version'] | unknown {
  const id = rule['rule_id'];
  return rule['version'] ?? (typeof id === 'string' ? (versions.get(id) ?? 0) + 1 : 1);
}

/** Of a fault in the set where it stands in the document; of one in what is in force the proposal as a whole. */
function pointerIn(pointer: string, placed: readonly Placed[], root: string): string {
  const [, list, at, ...rest] = pointer.split('/');
  const place = list === 'rules' ? placed[Number(at)] : undefined;
  if (place === undefined) return root;
  return place.pointer === root ? root : [place.pointer, ...rest].join('/');
}

function faulty(pointer: string, detail: string): Proposed {
  return { ok: false, faults: [{ pointer, detail }] };
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
