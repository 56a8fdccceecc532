import type { Decision } from '@sluice/limiter';
import { Sampler } from './sampler.js';

/** Which of the decisions that allow are sent: a share of all, and other shares of those by single rules. */
export class AllowSampling {
  private readonly everyRule: Sampler;
  /** By rule id; absent where no rule has a share of its own, so that nothing is looked up. */
  private readonly byRule: ReadonlyMap<string, Sampler> | undefined;
  private readonly samplers: readonly Sampler[];

  constructor(share: number, ruleShares: ReadonlyMap<string, number>, random: () => number) {
    const byShare = new Map<number, Sampler>();
    const samplerOf = (one: number): Sampler => {
      let sampler = byShare.get(one);
      if (sampler === undefined) byShare.set(one, (sampler = new Sampler(one, random)));
      return sampler;
    };
    this.everyRule = samplerOf(share);
    this.byRule = ruleShares.size === 0 ? undefined : new Map([...ruleShares].map(([ruleId, one]) => [ruleId, samplerOf(one)]));
    this.samplers = [...byShare.values()];
  }

  /** The share by which it was picked; 0 when it is left out. */
  shareOf(decision: Decision): number {
    const sampler = this.byRule === undefined ? this.everyRule : this.samplerOf(decision, this.byRule);
    return sampler.picks() ? sampler.share : 0;
  }

  get leftOut(): number {
    return this.samplers.reduce((sum, { leftOut }) => sum + leftOut, 0);
  }

  /** The greatest share over its limits: who asks to see a rule sees each of its decisions as often as that. */
  private samplerOf({ deciding, policies }: Decision, byRule: ReadonlyMap<string, Sampler>): Sampler {
    if (deciding === undefined) return this.everyRule;
    let greatest: Sampler | undefined;
    for (const { ruleId } of policies) {
      const sampler = byRule.get(ruleId) ?? this.everyRule;
      if (greatest === undefined || sampler.share > greatest.share) greatest = sampler;
    }
    return greatest ?? this.everyRule;
  }
}
