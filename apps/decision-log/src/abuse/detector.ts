import { createHash } from 'node:crypto';
import type { Logger } from '@sluice/platform';
import type { DecisionStore } from '../store/decision-store.js';
import type { Finding, FindingState, LeftOut, PlannedOverride } from './finding.js';
import type { Findings } from './findings.js';
import { suspectsOf } from './look.js';
import { OverrideMaker } from './override-maker.js';
import type { OverridesClient } from './overrides-client.js';
import type { AbusePattern, AbuseRules } from './pattern.js';
import { planOverrides } from './plan-overrides.js';
import type { Suspect } from './suspect.js';

/** Who acts when nobody does. */
const SYSTEM = 'system:abuse';

export interface DetectorParts {
  readonly rules: AbuseRules;
  readonly store: Pick<DecisionStore, 'aggregate'>;
  readonly client: OverridesClient;
  readonly findings: Findings;
  readonly logger: Pick<Logger, 'warn' | 'info'>;
  /** Hears of each finding that is new. */
  readonly onFinding?: (finding: Finding) => void;
  readonly nowMs?: () => number;
}

/** How the last look went. */
export interface LookStatus {
  readonly lookedAtMs: number | undefined;
  readonly fault: string | undefined;
}

/** Looks for all patterns, and does what they say (R84). */
export class Detector {
  private readonly nowMs: () => number;
  private readonly maker: OverrideMaker;
  /** Findings that a person applies at this moment. */
  private readonly inHand = new Set<string>();
  private lookedAtMs: number | undefined;
  private fault: string | undefined;

  constructor(private readonly parts: DetectorParts) {
    this.nowMs = parts.nowMs ?? Date.now;
    this.maker = new OverrideMaker(parts.client, parts.logger);
  }

  get status(): LookStatus {
    return { lookedAtMs: this.lookedAtMs, fault: this.fault };
  }

  /** One look at all patterns; what fails in one does not keep the others from being looked at. Never rejects. */
  async look(): Promise<void> {
    const faults: string[] = [];
    for (const pattern of this.parts.rules.patterns) {
      try {
        await this.lookFor(pattern);
      } catch (error) {
        faults.push(`${pattern.id}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
    for (const finding of this.parts.findings.newestFirst()) {
      if (finding.state === 'planning') await this.plan(finding).catch((error: unknown) => faults.push(`${finding.patternId}: ${error instanceof Error ? error.message : String(error)}`));
      // As it is now.
      const planned = this.parts.findings.get(finding.findingId);
      if (planned?.state === 'applying' && !this.inHand.has(planned.findingId)) await this.carryOn(planned);
    }
    const fault = faults.length === 0 ? undefined : faults.join('; ');
    if (fault === undefined) this.lookedAtMs = this.nowMs();
    if (fault !== undefined && this.fault === undefined) this.parts.logger.warn({ fault }, 'abuse is not looked for as it should be');
    if (fault === undefined && this.fault !== undefined) this.parts.logger.warn('abuse is looked for again');
    this.fault = fault;
  }

  /**
   * Makes what was proposed, in the name of a person, from now on.
   * @returns `busy` while somebody does, undefined where not all could be asked for: then it is proposed as before
   */
  async apply(finding: Finding, by: string, authorization: string): Promise<Finding | 'busy' | undefined> {
    if (this.inHand.has(finding.findingId)) return 'busy';
    this.inHand.add(finding.findingId);
    try {
      const laterMs = Math.max(0, this.nowMs() - finding.foundAtMs);
      const overrides = finding.overrides.map((one) => (one.overrideId === undefined ? { ...one, expiresAtMs: one.expiresAtMs + laterMs } : one));
      const applied = await this.carryOut({ ...finding, overrides, by, heldUntilMs: finding.heldUntilMs + laterMs }, authorization);
      if (applied.state !== 'applying') return applied;
      const asPlanned = new Map(finding.overrides.map((one) => [one.keyId, one]));
      const kept = applied.overrides.map((one) => (one.overrideId === undefined ? (asPlanned.get(one.keyId) ?? one) : one));
      this.parts.findings.put({ ...finding, overrides: kept, leftOut: applied.leftOut });
      return undefined;
    } finally {
      this.inHand.delete(finding.findingId);
    }
  }

  /** Whether a person applies it at this moment. */
  isInHand({ findingId }: Finding): boolean {
    return this.inHand.has(findingId);
  }

  /** Does nothing about it, and lets its subject be for as long as an override would have been there. */
  dismiss(finding: Finding, by: string): Finding {
    const dismissed: Finding = { ...finding, state: 'dismissed', by };
    this.parts.findings.put(dismissed);
    return dismissed;
  }

  private async lookFor(pattern: AbusePattern): Promise<void> {
    const { rules, store, findings } = this.parts;
    const nowMs = this.nowMs();
    const suspects = await suspectsOf(pattern, { store, nowMs, latenessMs: rules.latenessMs, held: findings.held(pattern.id, nowMs) });
    const room = findings.makeRoom(suspects.length, nowMs);
    for (const suspect of suspects.slice(0, room)) {
      const finding = findingOf(pattern, suspect, nowMs, rules.latenessMs);
      findings.put(finding);
      this.parts.onFinding?.(finding);
      this.parts.logger.warn({ finding_id: finding.findingId, pattern: pattern.id, subject: suspect.subject, observed: suspect.observed, threshold: suspect.threshold }, 'abuse found');
    }
    if (room < suspects.length) throw new Error(`as many findings are held as are kept, so that ${suspects.length - room} more are not taken up`);
  }

  /** What it comes to. @throws Error where store or control plane cannot be asked: then it is planned with the next look */
  private async plan(finding: Finding): Promise<void> {
    const { rules, store, client, findings } = this.parts;
    const pattern = this.patternOf(finding);
    if (pattern === undefined) return;
    if (finding.heldUntilMs <= this.nowMs()) {
      findings.put({ ...finding, state: 'refused', leftOut: finding.keyIds.map((keyId) => ({ keyId, why: 'it was over before the control plane could be asked' })) });
      return;
    }
    const planned = await planOverrides(pattern, finding, { store, client });
    const applies = pattern.action === 'apply' && !rules.dryRun && planned.overrides.length > 0;
    findings.put({ ...finding, ...planned, state: applies ? 'applying' : 'proposed', by: applies ? SYSTEM : undefined });
  }

  private patternOf({ patternId }: Finding): AbusePattern | undefined {
    return this.parts.rules.patterns.find(({ id }) => id === patternId);
  }

  /** Tries again what could not be made; what would be over by now is not. */
  private async carryOn(finding: Finding): Promise<void> {
    const open = finding.overrides.filter(({ overrideId }) => overrideId === undefined);
    if (open.length > 0 && open.every(({ expiresAtMs }) => expiresAtMs <= this.nowMs())) this.parts.findings.put({ ...finding, state: 'refused', leftOut: [...finding.leftOut, ...open.map(({ keyId }) => ({ keyId, why: 'it was over before it could be made' }))] });
    else await this.carryOut(finding);
  }

  private async carryOut(finding: Finding, authorization?: string): Promise<Finding> {
    const terms = this.patternOf(finding)?.override;
    const overrides: PlannedOverride[] = [];
    const leftOut: LeftOut[] = [...finding.leftOut];
    let later = false;
    for (const planned of finding.overrides) {
      const made = planned.overrideId === undefined && terms !== undefined ? await this.maker.make(finding, terms, planned, authorization) : planned;
      if (typeof made === 'string') leftOut.push({ keyId: planned.keyId, why: made });
      else {
        later ||= made.overrideId === undefined;
        overrides.push(made);
      }
    }
    const done: Finding = { ...finding, overrides, leftOut, state: later ? 'applying' : stateOf(overrides, leftOut) };
    this.parts.findings.put(done);
    return done;
  }
}

function stateOf(overrides: readonly PlannedOverride[], leftOut: readonly LeftOut[]): FindingState {
  if (overrides.length === 0) return 'refused';
  return leftOut.length === 0 ? 'applied' : 'partly_applied';
}

function findingOf(pattern: AbusePattern, suspect: Suspect, foundAtMs: number, latenessMs: number): Finding {
  const { id: patternId, kind, windowMs, override } = pattern;
  const { subjectKind, subject, keyIds, windowEndMs, observed, standardError, threshold } = suspect;
  const holdMs = override?.ttlMs ?? windowMs;
  return {
    // The same for who finds the same in the same stretch of time, another replica or this one started again.
    findingId: `fnd_${hashOf(patternId, subject, String(Math.floor(windowEndMs / holdMs)))}`,
    patternId,
    kind,
    subjectKind,
    subject,
    keyIds,
    foundAtMs,
    windowFromMs: windowEndMs - windowMs,
    windowToMs: windowEndMs,
    observed,
    standardError,
    threshold,
    state: 'planning',
    overrides: [],
    leftOut: [],
    by: undefined,
    // An attack that was over when the override ended is in none of the windows that are looked at from then on.
    heldUntilMs: foundAtMs + holdMs + windowMs + latenessMs,
  };
}

function hashOf(...parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 20);
}
