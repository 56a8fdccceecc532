import type { Finding } from './finding.js';

/** A finding as the API has it. */
export function findingJson(finding: Finding, nowMs: number): object {
  const { overrides, leftOut } = finding;
  return {
    finding_id: finding.findingId,
    pattern_id: finding.patternId,
    kind: finding.kind,
    subject_kind: finding.subjectKind,
    subject: finding.subject,
    found_at: iso(finding.foundAtMs),
    window_from: iso(finding.windowFromMs),
    window_to: iso(finding.windowToMs),
    observed: finding.observed,
    standard_error: finding.standardError,
    threshold: finding.threshold,
    state: finding.state,
    // Overrides lift themselves: nothing is left to do when they are over.
    over: finding.state === 'applying' || finding.state === 'planning' ? false : (overrides.length === 0 ? finding.heldUntilMs : Math.max(...overrides.map(({ expiresAtMs }) => expiresAtMs))) <= nowMs,
    by: finding.by ?? null,
    held_until: iso(finding.heldUntilMs),
    overrides: overrides.map(({ keyId, ruleId, limit, expiresAtMs, overrideId }) => ({ key_id: keyId, rule_id: ruleId, limit, expires_at: iso(expiresAtMs), override_id: overrideId ?? null })),
    left_out: leftOut.map(({ keyId, why }) => ({ key_id: keyId, why })),
  };
}

function iso(atMs: number): string {
  return new Date(atMs).toISOString();
}
