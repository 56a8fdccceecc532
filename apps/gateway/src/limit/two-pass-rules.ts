import { type AppliedRule, compileSnapshot, type RequestAttributes, type RuleIndex, type Snapshot } from '@sluice/rules';

/**
 * The rules of a gateway with two passes (R76). The coarse pass has those that name its domain, and no others: a rule without a domain
 * applies to any, so that one that counts by address would count each request in both passes.
 */
export class TwoPassRules implements RuleIndex {
  private readonly coarse: RuleIndex | undefined;

  constructor(
    private readonly all: RuleIndex,
    snapshot: Snapshot,
    private readonly domain: string,
  ) {
    const rules = snapshot.rules.filter((rule) => rule.domain === domain && rule.mode !== 'off');
    this.coarse = rules.length === 0 ? undefined : compileSnapshot({ ...snapshot, plans: [], rules, overrides: [] });
  }

  get version(): number {
    return this.all.version;
  }

  /** Whether the coarse pass has anything to count; without it costs nothing. */
  get hasCoarse(): boolean {
    return this.coarse !== undefined;
  }

  match(attributes: RequestAttributes, nowMs: number): readonly AppliedRule[] {
    if (attributes['domain'] !== this.domain) return this.all.match(attributes, nowMs);
    return this.coarse?.match(attributes, nowMs) ?? [];
  }
}
