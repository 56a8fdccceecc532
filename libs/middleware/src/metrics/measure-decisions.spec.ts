import type { LimiterStats } from '@sluice/limiter';
import * as prom from 'prom-client';
import { decisionOver, policyOutcome, refusal } from '../../test/decision-fixture.js';
import { measureDecisions } from './measure-decisions.js';

const STATS: LimiterStats = {
  decisions: { local: 0, store: 0, fallback: 0, none: 0 },
  asks: 7,
  trips: 3,
  granted: 50,
  returned: 2,
  faults: 1,
  overflowed: 0,
  activeKeys: 9,
  storeOffsetMs: -1500,
  snapshotVersion: 4,
};

describe('R93 metrics of decisions', () => {
  it('counts by rule, outcome and source, shadow refusals apart, and shows the engine', async () => {
    const registry = new prom.Registry();
    const observe = measureDecisions({ prom, registry, limiter: { stats: () => STATS } });
    observe(decisionOver([policyOutcome()]), 0.000_02);
    observe(decisionOver([policyOutcome()], { shadow: [policyOutcome({ ruleId: 'staged', allowed: false, source: 'store' })] }), 0.002);
    observe(refusal(1000), 0.000_01);
    observe(decisionOver([policyOutcome({ allowed: false, reason: 'store_unavailable', source: 'fallback' })]), 0.05);
    observe(decisionOver([]), 0.000_01);
    const text = await registry.metrics();
    expect(await registry.metrics()).toBe(text);
    for (const line of [
      'sluice_decisions_total{rule="free-default",outcome="allowed",source="local"} 2',
      'sluice_decisions_total{rule="free-default",outcome="denied",source="local"} 1',
      'sluice_decisions_total{rule="free-default",outcome="unavailable",source="fallback"} 1',
      'sluice_decisions_total{rule="staged",outcome="shadow_denied",source="store"} 1',
      'sluice_decisions_total{rule="none",outcome="allowed",source="none"} 1',
      'sluice_decision_duration_seconds_count 5',
      'sluice_limiter_trips_total 3',
      'sluice_limiter_active_keys 9',
      'sluice_store_clock_offset_seconds -1.5',
    ]) {
      expect(text.split('\n')).toContain(line);
    }
  });

  it('is bounded whatever rules come and go', async () => {
    const registry = new prom.Registry();
    const observe = measureDecisions({ prom, registry, limiter: { stats: () => STATS }, maxRules: 10 });
    for (let i = 0; i < 1000; i++) observe(decisionOver([policyOutcome({ ruleId: `rule-${i}` })]), 0);
    const lines = (await registry.metrics()).split('\n').filter((line) => line.startsWith('sluice_decisions_total{'));
    expect(lines).toHaveLength(11);
    expect(lines).toContain('sluice_decisions_total{rule="other",outcome="allowed",source="local"} 990');
  });
});
