import { createHash } from 'node:crypto';
import type { Logger } from '@sluice/platform';
import { type Finding, type PlannedOverride, reasonOf } from './finding.js';
import type { OverridesClient } from './overrides-client.js';
import type { OverrideTerms } from './pattern.js';
import { limitBy, madeBefore, standingOf } from './standing.js';

/** Makes overrides in the control plane, each once. */
export class OverrideMaker {
  constructor(
    private readonly client: OverridesClient,
    private readonly logger: Pick<Logger, 'warn'>,
  ) {}

  /**
   * Looks how the key stands now, since rules and overrides may have changed since it was planned, and makes the override.
   * @returns it as it is now, without an id where it has to be tried again; or why it cannot be made
   */
  async make(finding: Finding, terms: OverrideTerms, planned: PlannedOverride, authorization: string | undefined): Promise<PlannedOverride | string> {
    const { keyId, ruleId } = planned;
    const standing = await standingOf(this.client, keyId, ruleId).catch((error: unknown) => this.later(finding, error));
    if (standing === 'later') return planned;
    if (standing === undefined) return `rule ${ruleId} is not there, or has no limit`;
    const there = madeBefore(standing, finding.patternId);
    if (there !== undefined) return { ...planned, overrideId: there.overrideId, limit: there.limit, expiresAtMs: there.expiresAtMs };
    const limit = limitBy(terms, standing);
    if (typeof limit === 'string') return limit;
    const wanted = { ...planned, limit, reason: reasonOf(finding) };
    const key = `${finding.findingId}-${hashOf(keyId, ruleId)}`;
    const first = await this.client.make(wanted, key, authorization);
    // Made under this key before, and ended by somebody: of those that live none is ours.
    const made = first.status === 'key_used' ? await this.client.make(wanted, `${key}-${finding.foundAtMs}`, authorization) : first;
    if (made.status === 'later' || made.status === 'key_used') {
      this.later(finding, made.why);
      return planned;
    }
    return made.status === 'made' ? { ...planned, limit, overrideId: made.overrideId } : made.why;
  }

  private later({ findingId }: Finding, why: unknown): 'later' {
    this.logger.warn({ finding_id: findingId, why: why instanceof Error ? why.message : why }, 'an override cannot be made now');
    return 'later';
  }
}

function hashOf(...parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 20);
}
