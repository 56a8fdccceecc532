import type { CheckResult } from '@sluice/platform';
import type { Detector } from './detector.js';
import type { AbuseRules } from './pattern.js';

/** Has the detector look again and again, one look at a time. */
export class Watch {
  private timer: NodeJS.Timeout | undefined;
  private looking: Promise<void> | undefined;
  private stopped = false;

  constructor(
    private readonly rules: AbuseRules,
    private readonly detector: Pick<Detector, 'look' | 'status'>,
  ) {}

  start(): void {
    if (this.rules.patterns.length > 0) this.lookLater();
  }

  /** Waits for the look that is under way. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.looking;
  }

  /** Always ok: what was stored can be asked, whether or not abuse is looked for. */
  readiness(): CheckResult {
    const { patterns, dryRun } = this.rules;
    const { lookedAtMs, fault } = this.detector.status;
    if (patterns.length === 0) return { ok: true, detail: 'no patterns' };
    const last = lookedAtMs === undefined ? 'not looked yet' : `last whole look at ${new Date(lookedAtMs).toISOString()}`;
    return { ok: true, detail: `${fault === undefined ? '' : 'degraded: '}${patterns.length} patterns${dryRun ? ', dry run' : ''}; ${last}` };
  }

  private lookLater(): void {
    this.timer = setTimeout(() => {
      this.looking = this.detector.look().finally(() => {
        if (!this.stopped) this.lookLater();
      });
    }, this.rules.everyMs).unref();
  }
}
