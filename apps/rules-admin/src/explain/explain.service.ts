import { Injectable } from '@nestjs/common';
import type { Decision, PolicyOutcome } from '@sluice/limiter';
import { type AppliedRule, canonicalPath, type MatchExplanation, normalizeIp, type Override, type RuleExplanation } from '@sluice/rules';
import { invalid } from '../input/invalid.js';
import { isDatabaseUnavailable } from '../database/database-problem.js';
import { KeysService } from '../keys/keys.service.js';
import type { ExplainBody, ExplainedKeyResource, ExplainedLimitResource, ExplainedOverrideResource, ExplanationResource, RuleExplanationResource } from './explain.dto.js';
import { ExplainedRules } from './explained-rules.js';
import { LiveCounters } from './live-counters.js';

/** Longest attribute value; a node takes longer ones, and nobody asks about them by hand. */
const LONGEST = 2_048;

/** Says what becomes of a request and why; takes nothing from any counter. */
@Injectable()
export class ExplainService {
  constructor(
    private readonly rules: ExplainedRules,
    private readonly counters: LiveCounters,
    private readonly keys: KeysService,
  ) {}

  /** @throws ProblemException 400 for attributes that no request can have */
  async explain({ attributes: given, cost = 1, rules: asked = [] }: ExplainBody): Promise<ExplanationResource> {
    assertAttributes(given);
    const explainer = await this.rules.current();
    const { key, remarks } = await this.keyOf(given['key_id']);
    const filled: Record<string, string> = key === undefined ? {} : { tenant_id: key.tenant_id, plan: key.plan };
    const attributes = { ...filled, ...asNodesSee(given) };
    const explanation = explainer.explain(attributes, Date.now(), asked);
    const decision = await this.counters.peek(explainer.index, attributes, cost);
    const unread = decision === undefined ? 'this control plane was not told where the counters are (SLUICE_REDIS_URL)' : unreadReason(decision);
    const readable = unread === undefined ? decision : undefined;
    return {
      version: explainer.index.version,
      attributes,
      filled_in: Object.keys(filled).filter((name) => given[name] === undefined),
      remarks,
      ...(key === undefined ? {} : { key }),
      matching: explanation.matching.map(ruleJson),
      others: explanation.others.map(ruleJson),
      overrides: explanation.overrides.map(overrideJson),
      limits: limitsOf(explanation, readable),
      ...(readable === undefined ? {} : { decision: decisionJson(readable) }),
      counters: unread ?? 'read',
    };
  }

  /** Without the database a request can still be explained, as far as it says everything itself. */
  private async keyOf(keyId: string | undefined): Promise<{ readonly key: ExplainedKeyResource | undefined; readonly remarks: readonly string[] }> {
    if (keyId === undefined) return { key: undefined, remarks: [] };
    try {
      const key = await this.keys.identity(keyId);
      if (key === undefined) return { key, remarks: [`There is no key ${keyId} here: a gateway refuses it with 401. What follows is as if it existed.`] };
      return { key, remarks: key.disabled ? ['The key is disabled: a gateway refuses it with 401 before any limit is looked at.'] : [] };
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
      return { key: undefined, remarks: ['The database cannot be reached now, so that the key was not looked up.'] };
    }
  }
}

function assertAttributes(attributes: Readonly<Record<string, unknown>>): void {
  const entries = Object.entries(attributes);
  if (entries.length > 64) throw invalid([{ pointer: '/attributes', detail: 'must have at most 64 attributes' }]);
  const faults = entries.flatMap(([name, value]) =>
    typeof value === 'string' && value.length <= LONGEST ? [] : [{ pointer: `/attributes/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, detail: `must be a string of at most ${LONGEST} characters` }],
  );
  if (faults.length > 0) throw invalid(faults);
}

/** One spelling of path and address, as gateways bring them into. */
function asNodesSee({ endpoint, ip, ...others }: Readonly<Record<string, string>>): Record<string, string> {
  const space = endpoint?.indexOf(' ') ?? -1;
  return {
    ...others,
    ...(endpoint === undefined ? {} : { endpoint: endpoint.slice(0, space + 1) + canonicalPath(endpoint.slice(space + 1)) }),
    ...(ip === undefined ? {} : { ip: normalizeIp(ip) ?? ip }),
  };
}

/** Why a decision says nothing of the counters. */
function unreadReason({ policies, shadow }: Decision): string | undefined {
  const unread = [...policies, ...shadow].some(({ source, reason }) => source === 'fallback' || reason === 'store_unavailable');
  return unread ? 'the counter store does not answer' : undefined;
}

function limitsOf({ applied }: MatchExplanation, decision: Decision | undefined): ExplainedLimitResource[] {
  const outcomes = decision === undefined ? [] : [...decision.policies, ...decision.shadow];
  return applied.map((one) => ({ ...limitJson(one), ...counterJson(outcomes.find(({ ruleId }) => ruleId === one.rule.ruleId)) }));
}

function limitJson({ rule, quota, overrideId }: AppliedRule): ExplainedLimitResource {
  return {
    policy: rule.policy,
    rule_id: rule.ruleId,
    rule_version: rule.version,
    mode: rule.mode,
    ...(overrideId === undefined ? {} : { override_id: overrideId }),
    limit: quota.limit,
    window_seconds: quota.windowMs / 1_000,
    count_by: rule.countBy,
  };
}

function counterJson(outcome: PolicyOutcome | undefined): Partial<ExplainedLimitResource> {
  if (outcome === undefined) return {};
  const { allowed, remaining, resetMs, retryMs, reason } = outcome;
  return { allowed, remaining, reset_seconds: resetMs / 1_000, ...(retryMs > 0 ? { retry_after_seconds: retryMs / 1_000 } : {}), reason };
}

function decisionJson({ allowed, reason, retryAfterMs }: Decision): NonNullable<ExplanationResource['decision']> {
  return { allowed, reason, ...(retryAfterMs === undefined ? {} : { retry_after_seconds: retryAfterMs / 1_000 }) };
}

function ruleJson({ ruleId, mode, applies, matches, reason, detail, outrankedBy, overrideId }: RuleExplanation): RuleExplanationResource {
  return { rule_id: ruleId, ...(mode === undefined ? {} : { mode }), applies, matches, reason, detail, ...(outrankedBy === undefined ? {} : { outranked_by: outrankedBy }), ...(overrideId === undefined ? {} : { override_id: overrideId }) };
}

function overrideJson({ override_id, rule_id, limit, expires_at }: Override): ExplainedOverrideResource {
  return { override_id, rule_id, limit, expires_at, live: Date.parse(expires_at) > Date.now() };
}
