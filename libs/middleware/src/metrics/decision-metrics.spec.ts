import type { LimiterStats } from '@sluice/limiter';
import { decisionOver, policyOutcome, refusal } from '../../test/decision-fixture.js';
import { decisionMetrics } from './decision-metrics.js';
import type { MetricFamily } from './decision-metrics.js';

const STATS: LimiterStats = {
  decisions: { local: 0, store: 0, fallback: 0, none: 0 },
  asks: 7,
  trips: 3,
  granted: 50,
  lost: 6,
  returned: 2,
  faults: 1,
  sideFaults: 1,
  overflowed: 0,
  reservations: 8,
  settlements: 5,
  settlementsLost: 1,
  unsettled: 30,
  forgiven: 4,
  splits: 2,
  reports: 2,
  reported: 40,
  unreported: 3,
  fallbackKeys: 0,
  tableBytes: 576,
  activeKeys: 9,
  storeOffsetMs: -1500,
  snapshotVersion: 4,
  fleetSize: 12,
};
const limiter = { stats: () => STATS };

function samples(families: readonly MetricFamily[], name: string) {
  return families.find((family) => family.name === name)?.collect();
}

describe('R93 metrics of decisions', () => {
  it('counts by rule, outcome and source, and shows the engine; R58 what rules in shadow say is none of these', () => {
    const { add, families } = decisionMetrics(limiter);
    add(decisionOver([policyOutcome()]));
    add(decisionOver([policyOutcome()], { shadow: [policyOutcome({ ruleId: 'staged', allowed: false, source: 'store' })] }));
    add(refusal(1000));
    add(decisionOver([policyOutcome({ allowed: false, reason: 'store_unavailable', source: 'fallback' })]));
    add(decisionOver([]));
    const expected = [
      { labels: { rule: 'free-default', outcome: 'allowed', source: 'local' }, value: 2 },
      { labels: { rule: 'free-default', outcome: 'denied', source: 'local' }, value: 1 },
      { labels: { rule: 'free-default', outcome: 'unavailable', source: 'fallback' }, value: 1 },
      { labels: { rule: 'none', outcome: 'allowed', source: 'none' }, value: 1 },
    ];
    expect(samples(families, 'sluice_decisions_total')).toEqual(expected);
    expect(samples(families, 'sluice_decisions_total')).toEqual(expected);
    expect(samples(families, 'sluice_limiter_trips_total')).toEqual([{ labels: {}, value: 3 }]);
    expect(samples(families, 'sluice_limiter_active_keys')).toEqual([{ labels: {}, value: 9 }]);
    expect(samples(families, 'sluice_limiter_lost_total')).toEqual([{ labels: {}, value: 6 }]);
    expect(samples(families, 'sluice_limiter_unsettled_total')).toEqual([{ labels: {}, value: 30 }]);
    expect(samples(families, 'sluice_limiter_reported_total')).toEqual([{ labels: {}, value: 40 }]);
    expect(samples(families, 'sluice_split_counters')).toEqual([{ labels: {}, value: 2 }]);
    expect(samples(families, 'sluice_limiter_unreported_total')).toEqual([{ labels: {}, value: 3 }]);
    expect(samples(families, 'sluice_fleet_size')).toEqual([{ labels: {}, value: 12 }]);
    expect(samples(families, 'sluice_store_clock_offset_seconds')).toEqual([{ labels: {}, value: -1.5 }]);
  });

  it('is bounded whatever rules come and go', () => {
    const { add, families } = decisionMetrics(limiter, 10);
    for (let i = 0; i < 1000; i++) add(decisionOver([policyOutcome({ ruleId: `rule-${i}` })]));
    const rows = samples(families, 'sluice_decisions_total');
    expect(rows).toHaveLength(11);
    expect(rows?.at(-1)).toEqual({ labels: { rule: 'other', outcome: 'allowed', source: 'local' }, value: 990 });
  });
});
