/** What one check found. */
export interface CheckResult {
  readonly ok: boolean;
  /** Why, or what is there; never a secret, since readiness is open to anyone. */
  readonly detail?: string;
}

/** Looks at one thing that the app needs in order to serve. */
export type Check = () => CheckResult | Promise<CheckResult>;

/** Readiness: every check by name. */
export interface Readiness {
  readonly ready: boolean;
  readonly checks: Readonly<Record<string, CheckResult>>;
}

/** The named checks of one app. */
export class HealthChecks {
  private readonly checks = new Map<string, Check>();
  private closing = false;

  /** @param timeoutMs a check that has not answered by then has failed */
  constructor(private readonly timeoutMs = 2_000) {}

  /** Adds a check; a second one of the same name takes its place. */
  register(name: string, check: Check): void {
    this.checks.set(name, check);
  }

  /** From now on not ready, so that a load balancer looks elsewhere while the app drains (R44). */
  startClosing(): void {
    this.closing = true;
  }

  get isClosing(): boolean {
    return this.closing;
  }

  /**
   * Runs all checks at once.
   *
   * @param except a check that is left out: one that asks others for their readiness would be asked by them in turn
   */
  async readiness(except?: string): Promise<Readiness> {
    const entries = await Promise.all([...this.checks].filter(([name]) => name !== except).map(async ([name, check]) => [name, await this.run(check)] as const));
    const checks = Object.fromEntries(this.closing ? [...entries, ['stopping', { ok: false, detail: 'the app is stopping' }] as const] : entries);
    return { ready: Object.values(checks).every(({ ok }) => ok), checks };
  }

  private async run(check: Check): Promise<CheckResult> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<CheckResult>((resolve) => {
      timer = setTimeout(() => resolve({ ok: false, detail: `no answer within ${this.timeoutMs} ms` }), this.timeoutMs);
    });
    try {
      return await Promise.race([Promise.resolve().then(check), late]);
    } catch (error) {
      return { ok: false, detail: error instanceof Error ? error.message : 'the check failed' };
    } finally {
      clearTimeout(timer);
    }
  }
}
