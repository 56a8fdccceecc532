import type { Decision, DecisionSource, PolicyOutcome } from '@sluice/limiter';
import { CounterWatch } from './counter-watch.js';

function decisionFrom(...sources: DecisionSource[]): Pick<Decision, 'policies'> {
  return { policies: sources.map((source) => ({ source }) as PolicyOutcome) };
}

describe('R41 R93 a node says when it decides by the fallback', () => {
  const lines: string[] = [];
  const fields: unknown[] = [];
  const store = { connected: true, givenUp: [] as string[] };
  const stats = { asks: 0, faults: 0, decisions: { local: 0, store: 0, fallback: 0, none: 0 }, fleetSize: 7 };
  let nowMs = 0;
  let watch: CounterWatch;

  beforeEach(() => {
    lines.length = 0;
    fields.length = 0;
    nowMs = 0;
    Object.assign(store, { connected: true, givenUp: [] });
    Object.assign(stats, { asks: 0, faults: 0 });
    const logger = { warn: (more: unknown, line?: string) => void (lines.push(line ?? ''), fields.push(more)) };
    watch = new CounterWatch({ store, stats: () => stats, logger, quietMs: 1000, nowMs: () => nowMs });
  });

  it('logs one line when it begins and one when it ends, however many decisions there are', () => {
    for (let i = 0; i < 50; i++) watch.see(decisionFrom('local', 'store'));
    expect(lines).toEqual([]);
    for (; nowMs < 3000; nowMs += 100) watch.see(decisionFrom('store', 'fallback'));
    expect(lines).toEqual([expect.stringContaining('come from the fallback')]);
    expect(fields).toEqual([{ connected: true, fleet_size: 7 }]);
    for (; nowMs < 6000; nowMs += 100) watch.see(decisionFrom('store'));
    expect(lines).toEqual([expect.any(String), expect.stringContaining('again')]);
  });

  it('flapping makes no more than two lines in the quiet time', () => {
    for (; nowMs < 10_000; nowMs += 100) watch.see(decisionFrom(nowMs % 200 === 0 ? 'fallback' : 'store'));
    expect(lines).toHaveLength(1);
  });

  it('a decision that no rule applies to neither begins nor ends it too soon', () => {
    watch.see(decisionFrom());
    expect(lines).toEqual([]);
    watch.see(decisionFrom('fallback'));
    nowMs = 500;
    watch.see(decisionFrom());
    expect(lines).toHaveLength(1);
  });

  it('readiness says it and stays ready', () => {
    expect(watch.readiness()).toEqual({ ok: true, detail: 'connected; 0 of 0 questions not answered (0.0 %), 0 decisions by the fallback' });
    Object.assign(stats, { asks: 8, faults: 2 });
    Object.assign(store, { connected: false });
    expect(watch.readiness()).toEqual({ ok: true, detail: 'degraded: not connected; 2 of 8 questions not answered (25.0 %), 0 decisions by the fallback' });
    Object.assign(store, { connected: true, givenUp: ['10.0.0.1:6379'] });
    expect(watch.readiness()).toMatchObject({ ok: true, detail: expect.stringMatching(/^degraded: connected, 10\.0\.0\.1:6379 given up; /) });
    Object.assign(store, { givenUp: [] });
    watch.see(decisionFrom('fallback'));
    expect(watch.readiness().detail).toMatch(/^degraded: connected; /);
    nowMs = 1000;
    expect(watch.readiness().detail).toMatch(/^connected; /);
  });
});
