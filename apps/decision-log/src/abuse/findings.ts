import type { Finding } from './finding.js';

/** Findings that are remembered. Those that are over go first; while all are held no more are taken up. */
const MOST_FINDINGS = 10_000;

/** What was found since the start, the newest last. What still goes on after a restart is found again. */
export class Findings {
  private readonly all = new Map<string, Finding>();

  constructor(private readonly most = MOST_FINDINGS) {}

  /** Adds one, or what became of one. */
  put(finding: Finding): void {
    this.all.set(finding.findingId, finding);
  }

  get(findingId: string): Finding | undefined {
    return this.all.get(findingId);
  }

  newestFirst(): readonly Finding[] {
    return [...this.all.values()].reverse();
  }

  /** Subjects that something is being done about already. */
  held(patternId: string, nowMs: number): ReadonlySet<string> {
    const held = new Set<string>();
    for (const finding of this.all.values()) if (finding.patternId === patternId && finding.heldUntilMs > nowMs) held.add(finding.subject);
    return held;
  }

  /** Forgets what is over, the oldest first, until there is room for so many. @returns how many there is room for */
  makeRoom(wanted: number, nowMs: number): number {
    for (const [id, finding] of this.all) {
      if (this.all.size + wanted <= this.most) return wanted;
      if (finding.heldUntilMs <= nowMs) this.all.delete(id);
    }
    return Math.max(0, this.most - this.all.size);
  }
}
