import type { Finding } from './finding.js';

/** Findings that are remembered; the oldest go first. */
const MOST_FINDINGS = 1_000;

/** What was found since the start, the newest last. What still goes on after a restart is found again. */
export class Findings {
  private readonly all = new Map<string, Finding>();

  put(finding: Finding): void {
    this.all.set(finding.findingId, finding);
    for (const [id] of this.all) {
      if (this.all.size <= MOST_FINDINGS) return;
      this.all.delete(id);
    }
  }

  get(findingId: string): Finding | undefined {
    return this.all.get(findingId);
  }

  newestFirst(): readonly Finding[] {
    return [...this.all.values()].reverse();
  }

  /** Whether something is being done about it already. */
  isHeld(patternId: string, subject: string, nowMs: number): boolean {
    for (const finding of this.all.values()) {
      if (finding.patternId === patternId && finding.subject === subject && finding.heldUntilMs > nowMs) return true;
    }
    return false;
  }
}
