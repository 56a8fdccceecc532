import type { QuotaJson, Rule, Snapshot } from '@sluice/rules';
import { createReplay, type Interval, type ReplayReport, type ReplayRequest } from '../src/index.js';
import { columnsOf } from './support/columns-of.js';
import { randomFrom, streamOf, thinned, type Traffic } from './support/traffic.js';

const ROUNDS = 20;
/** P(X <= 16) of 20 at 0.95 is about 2 %. */
const LEAST_COVERED = 17;

const rule = (rule_id: string, more: QuotaJson & Partial<Rule>): Rule => ({ rule_id, version: 1, policy: rule_id, ...more });
const snapshotOf = (...rules: readonly Rule[]): Snapshot => ({ version: 1, plans: [{ plan_id: 'free' }, { plan_id: 'pro' }], overrides: [], rules });

/** Three times what may pass: once refused, always refused, as the debt of the denials never drains; a sample shows gaps in which some would pass. */
const OVER: Traffic = { keys: 6, spanMs: 180_000, requestsAKey: () => 540, burstMs: 0 };
const CHARGED = { algorithm: 'gcra', limit: 60, window_seconds: 60, burst: 20, charge_denied: true } as const;

function replayed(snapshot: Snapshot, requests: readonly ReplayRequest[]): ReplayReport {
  const replay = createReplay({ rules: snapshot });
  replay.decideColumns(columnsOf(requests));
  return replay.report({ brief: true });
}

function intervalOf(report: ReplayReport, id: string): Interval & { readonly refused: number } {
  const found = report.rules.find(({ rule_id }) => rule_id === id);
  if (found === undefined) throw new Error(`no rule ${id}`);
  return { ...found.interval, refused: found.refused };
}

const holds = ({ at_least, at_most }: Interval, truth: number): boolean => at_least - 1e-6 <= truth && truth <= at_most + 1e-6;

describe('R59 R7 rules that charge denials, of which a sample does not say how the debt runs', () => {
  it.each([
    ['gcra', OVER, CHARGED],
    ['gcra, a third of it peeks', { ...OVER, costs: 3, leastCost: 0 }, CHARGED],
    ['token bucket, bursts', { ...OVER, requestsAKey: () => 240, burstMs: 900 }, { ...CHARGED, algorithm: 'token_bucket' }],
    ['sliding counter, at the limit', { ...OVER, requestsAKey: () => 180 }, { limit: 60, window_seconds: 60, charge_denied: true }],
    ['fixed window', OVER, { algorithm: 'fixed_window', limit: 60, window_seconds: 60, charge_denied: true }],
  ] as const)('%s: the truth lies in the interval, which says why it is that wide', (_name, traffic, quota) => {
    const snapshot = snapshotOf(rule('r', quota));
    const random = randomFrom(7);
    const stream = streamOf(traffic, random);
    const truth = replayed(snapshot, stream);
    expect(truth.total.interval).toMatchObject({ at_least: truth.total.refused, confidence: 1, reason: null });
    for (const share of [0.1, 0.01]) {
      let covered = 0;
      for (let round = 0; round < ROUNDS; round += 1) {
        const { total, rules } = replayed(snapshot, thinned(stream, share, random));
        if (holds(total.interval, truth.total.refused) && holds(rules[0]?.interval ?? total.interval, truth.total.refused)) covered += 1;
        expect(total.interval).toMatchObject({ reason: 'charge_denied', unresolved: total.refused, at_least: 0 });
      }
      expect(covered).toBeGreaterThanOrEqual(LEAST_COVERED);
    }
  });

  it('what is refused together with them is not known either, by whatever other rules it hangs together; what has nothing to do with them is', () => {
    const random = randomFrom(3);
    const requests = (plan: string): readonly ReplayRequest[] =>
      streamOf(OVER, random).map((request) => ({ ...request, attributes: { ...request.attributes, plan, key_id: `${plan}-${request.attributes['key_id'] ?? ''}`, endpoint: request.cost > 0 && random() < 0.5 ? 'GET /a' : 'GET /b' } }));
    const snapshot = snapshotOf(
      rule('charged', { ...CHARGED, plan: 'free', endpoint: 'GET /a' }),
      rule('beside', { plan: 'free', limit: 30, window_seconds: 60 }),
      rule('further', { plan: 'free', endpoint: 'GET /b', limit: 20, window_seconds: 60 }),
      rule('watched', { plan: 'free', mode: 'shadow', limit: 25, window_seconds: 60 }),
      rule('apart', { plan: 'pro', algorithm: 'fixed_window', limit: 20, window_seconds: 60 }),
    );
    const stream = [...requests('free'), ...requests('pro')].sort((a, b) => a.atMs - b.atMs);
    const truth = replayed(snapshot, stream);
    let covered = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const sample = replayed(snapshot, thinned(stream, 0.1, random));
      for (const id of ['charged', 'beside', 'further', 'watched']) {
        const { refused, ...interval } = intervalOf(sample, id);
        expect(interval).toMatchObject({ at_least: 0, unresolved: refused, reason: 'charge_denied' });
        expect(holds(interval, intervalOf(truth, id).refused)).toBe(true);
      }
      const apart = intervalOf(sample, 'apart');
      expect(apart).toMatchObject({ reason: null });
      expect(apart.at_least).toBeGreaterThan(0.7 * apart.refused);
      expect(sample.total.interval.at_least).toBeGreaterThan(0.6 * apart.refused);
      if (holds(apart, intervalOf(truth, 'apart').refused) && holds(sample.total.interval, truth.total.refused)) covered += 1;
    }
    expect(covered).toBeGreaterThanOrEqual(LEAST_COVERED);
  });

  it('a rule that came nowhere near to refusing says as much as any other', () => {
    const random = randomFrom(5);
    const { total } = replayed(snapshotOf(rule('r', { ...CHARGED, limit: 6_000, burst: 6_000 })), thinned(streamOf(OVER, random), 0.1, random));
    expect(total).toMatchObject({ refused: 0, interval: { at_least: 0, unresolved: 0, reason: null } });
    expect(total.interval.at_most).toBeLessThan(0.02 * total.requests);
  });
});
