import type { Override, Plan, RequestAttributes, Rule, Snapshot } from '../src/index.js';

/** One rule that applies, in a form that compares with the index's answer. */
export interface Expected {
  readonly policy: string;
  readonly mode: string;
  readonly ruleId: string;
  readonly limit: number;
  readonly overrideId: string | undefined;
}

interface Scored extends Expected {
  readonly score: readonly (number | string)[];
}

/**
 * Matching as the requirements say it, without an index: score every enforced rule that matches and take the best of each policy. A rule in shadow applies
 * if, enforced and without those whose place it would take, it would be that one. Deliberately shares no code with the index, and matches paths by regular
 * expressions.
 */
export function expectedMatch({ rules, plans, overrides }: Snapshot, request: RequestAttributes, nowMs: number): readonly Expected[] {
  const scored = [...rules, ...plans.flatMap(defaultRule)].flatMap((rule): { readonly rule: Rule; readonly own: Scored }[] => {
    const mode = rule.mode ?? 'enforce';
    if (mode === 'off' || !matches(rule, request)) return [];
    const override = liveOverride(overrides, rule, request.key_id, nowMs);
    const score = [override === undefined ? 0 : 1, ...specificity(rule)];
    return [{ rule, own: { policy: rule.policy ?? 'default', mode, ruleId: rule.rule_id, limit: override?.limit ?? rule.limit, overrideId: override?.override_id, score } }];
  });
  const enforced = scored.filter(({ own }) => own.mode === 'enforce');
  const applying = scored.filter(({ rule, own }) => {
    const rivals = enforced.filter((other) => other.rule !== rule && other.own.policy === own.policy && !(own.mode === 'shadow' && takesPlace(rule, other.rule)));
    return rivals.every((rival) => beats(own.score, inForce(own.ruleId), rival.own));
  });
  const order = ({ own: { policy, mode } }: { readonly own: Scored }): string => `${mode} ${policy}`;
  return applying
    .sort((a, b) => (order(a) === order(b) ? (beats(a.own.score, inForce(a.own.ruleId), { ...b.own, ruleId: inForce(b.own.ruleId) }) ? -1 : 1) : order(a) < order(b) ? -1 : 1))
    .map(({ own: { score: _score, ...expected } }) => expected);
}

/** The id that a rule would have in force. */
function inForce(ruleId: string): string {
  return ruleId.replace('proposed:', '');
}

function takesPlace(shadow: Rule, enforced: Rule): boolean {
  const match = (rule: Rule): string => JSON.stringify([rule.domain, rule.plan, sameRoute(rule), Object.entries(rule.descriptors ?? {}).sort()]);
  return inForce(shadow.rule_id) === enforced.rule_id || (match(shadow) === match(enforced) && !enforced.rule_id.startsWith('plan:'));
}

function sameRoute(rule: Rule): string {
  if (isAnyEndpoint(rule)) return '*';
  const { endpoint = '' } = rule;
  return endpoint.replace(/ \*$/, ' /*').replace(/\/$/, '').replaceAll(/\{\w+\}/g, '{}');
}

function defaultRule({ plan_id, default_limit }: Plan): Rule[] {
  return default_limit === undefined ? [] : [{ ...default_limit, rule_id: `plan:${plan_id}`, version: 1, plan: plan_id }];
}

function matches(rule: Rule, request: RequestAttributes): boolean {
  return (
    (rule.domain === undefined || rule.domain === request.domain) &&
    (rule.plan === undefined || rule.plan === request.plan) &&
    (isAnyEndpoint(rule) || endpointPattern(rule).test(normalEndpoint(request.endpoint ?? ''))) &&
    Object.entries(rule.descriptors ?? {}).every(([name, value]) => (value === '*' ? request[name] !== undefined : request[name] === value)) &&
    (rule.count_by ?? ['key_id']).every((name) => request[name] !== undefined)
  );
}

function isAnyEndpoint({ endpoint }: Rule): boolean {
  return endpoint === undefined || endpoint === '*' || endpoint === '/*';
}

function endpointPattern({ endpoint = '' }: Rule): RegExp {
  const withPath = endpoint.endsWith(' *') ? endpoint.replace(' *', ' /*') : endpoint;
  const path = withPath
    .replace(/\/$/, '')
    .replaceAll('.', String.raw`\.`)
    .replace(/\/\*$/, '(/[^/]+)*')
    .replaceAll(/\{\w+\}/g, '[^/]+');
  return new RegExp(endpoint.includes(' ') ? `^${path}$` : `^([^ ]* )?${path}$`);
}

function normalEndpoint(endpoint: string): string {
  if (!/^([^ ]* )?\//.test(endpoint)) return 'no endpoint';
  return endpoint.replace(/[?#].*$/s, '').replaceAll(/\/+/g, '/').replace(/\/$/, '');
}

function specificity(rule: Rule): readonly (number | string)[] {
  const values = Object.values(rule.descriptors ?? {});
  const endpoint = isAnyEndpoint(rule) ? '' : (rule.endpoint ?? '');
  const segments = endpoint.replace(/^[^/]*\/?/, '').split('/').filter((segment) => segment !== '');
  const tail = endpoint.endsWith('*');
  return [
    classOf(rule, endpoint !== '', values.length > 0),
    values.filter((value) => value !== '*').length,
    values.length,
    segments.filter((segment) => !segment.startsWith('{') && segment !== '*').length,
    /^[A-Z]/.test(endpoint) ? 1 : 0,
    endpoint === '' ? '' : segments.filter((segment) => segment !== '*').map((segment) => (segment.startsWith('{') ? '2' : '3')).join('') + (tail ? '0' : '1'),
    rule.domain === undefined ? 0 : 1,
  ];
}

function classOf(rule: Rule, endpoint: boolean, descriptors: boolean): number {
  if (rule.rule_id.startsWith('plan:')) return 1;
  if (endpoint) return rule.plan === undefined ? 4 : 5;
  if (rule.plan !== undefined) return 3;
  return descriptors ? 2 : 0;
}

function beats(score: readonly (number | string)[], ruleId: string, other: Scored): boolean {
  for (const [at, value] of score.entries()) {
    const rival = other.score[at];
    if (rival !== undefined && value !== rival) return value > rival;
  }
  return ruleId < other.ruleId;
}

function liveOverride(overrides: readonly Override[], rule: Rule, keyId: string | undefined, nowMs: number): Override | undefined {
  const live = overrides.filter((one) => one.rule_id === inForce(rule.rule_id) && one.key_id === keyId && nowMs < Date.parse(one.expires_at));
  const order = (one: Override): string => `${one.expires_at} ${String(one.limit).padStart(16, '0')} ${one.override_id}`;
  return live.sort((a, b) => (order(a) < order(b) ? -1 : 1))[0];
}
