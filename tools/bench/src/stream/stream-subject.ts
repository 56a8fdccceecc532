import { createDecisionStream, type DecisionStream, type DecisionStreamOptions, type StreamSink } from '@sluice/decision-stream';
import { createLimiter, fixedLeases, type Limiter } from '@sluice/limiter';
import { compileSnapshot } from '@sluice/rules';
import { GrantingStore } from '../engine/granting-store.js';

const KEYS = 10_000;
/** No permits of this limit are left to take so many. */
export const TOO_MUCH = 2_000_000_000;

export const TAKES_ALL: StreamSink = { send: (messages) => Promise.resolve(messages.length) };
export const REFUSES: StreamSink = { send: () => Promise.reject(new Error('away')) };
export const NEVER_ANSWERS: StreamSink = { send: () => new Promise(() => undefined) };

/** An engine on local leases, and a stream that hears of its decisions, or none. */
export class StreamSubject {
  readonly stream: DecisionStream | undefined;
  private readonly limiter: Limiter;
  private readonly ids = Array.from({ length: KEYS }, (_, at) => `key_${at.toString(36)}`);
  private at = 0;

  constructor(options: (Partial<DecisionStreamOptions> & Pick<DecisionStreamOptions, 'sink'>) | undefined) {
    const rules = compileSnapshot({
      version: 1,
      plans: [{ plan_id: 'free' }],
      rules: [{ rule_id: 'free-default', version: 1, plan: 'free', endpoint: '*', limit: 1_000_000_000, window_seconds: 3600, max_lease: 1_000_000 }],
      overrides: [],
    });
    this.limiter = createLimiter({ store: new GrantingStore(), rules, sizing: fixedLeases(1_000_000), maxKeys: KEYS * 4, maxKeysPerRule: KEYS * 4 });
    this.stream = options && createDecisionStream({ region: 'local', nodeId: 'bench', app: 'gateway', snapshotVersion: () => 1, nowMs: Date.now, ...options });
    this.decide(KEYS, 1);
  }

  /** @returns how many were allowed. */
  decide(count: number, cost: number): number {
    const { ids, limiter, stream } = this;
    let allowed = 0;
    for (let turn = 0; turn < count; turn += 1) {
      this.at = (this.at + 7919) % KEYS;
      const attributes = { plan: 'free', endpoint: 'GET /v1/items', key_id: ids[this.at] ?? '', tenant_id: 'acme', ip: '203.0.113.9' };
      const decision = limiter.check(attributes, cost);
      if (decision instanceof Promise) throw new Error('a decision that should be local needed a trip');
      stream?.note(decision, attributes);
      if (decision.allowed) allowed += 1;
    }
    return allowed;
  }

  async close(): Promise<void> {
    await Promise.all([this.limiter.close(), this.stream?.close()]);
  }
}
