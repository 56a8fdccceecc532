import { quota } from '@sluice/algorithms';
import { adaptiveLeases, MAX_PRESSURE, mostHeld, type Situation } from './lease-sizing.js';

const DAY_MS = 86_400_000;
/** The same moment in the middle of every random interval. */
const sizing = adaptiveLeases(() => 0.5);

function situation(of: Parameters<typeof quota>[0], more: Partial<Situation> = {}): Situation {
  return { quota: quota(of), ratePerMs: 0.02, leftMs: Infinity, tight: true, pressure: MAX_PRESSURE, ...more };
}

describe('R24 how long a node may refuse from memory', () => {
  it.each(['token_bucket', 'leaky_bucket', 'gcra'] as const)('of %s it is no part of a window in which a burst drains many times', (algorithm) => {
    const day = { algorithm, limit: 864_000, windowMs: DAY_MS, burst: 100 };
    // The burst drains in 10 s.
    for (let pressure = 0; pressure <= MAX_PRESSURE; pressure += 1) expect(sizing.plan(situation(day, { pressure })).paceMs).toBeLessThanOrEqual(2000);
    const second = { algorithm, limit: 10_000, windowMs: 1000, burst: 400 };
    // It drains in 40 ms.
    expect(sizing.plan(situation(second)).paceMs).toBeLessThanOrEqual(20);
  });

  it.each(['fixed_window', 'sliding_counter'] as const)('of %s it is a second or two, whatever the window', (algorithm) => {
    for (const windowMs of [60_000, 3_600_000, DAY_MS, 366 * DAY_MS]) {
      const calm = sizing.plan(situation({ algorithm, limit: 1_000_000, windowMs }, { pressure: 0 }));
      const pressed = sizing.plan(situation({ algorithm, limit: 1_000_000, windowMs }, { leftMs: windowMs / 2 }));
      expect(calm.paceMs).toBeLessThanOrEqual(1000);
      expect(pressed.paceMs).toBeLessThanOrEqual(2000);
      expect(pressed.jitterMs).toBeLessThanOrEqual(4000);
    }
  });

  it('does not depend on the window where burst and drain are the same', () => {
    const ofWindow = (windowMs: number): number => sizing.plan(situation({ algorithm: 'gcra', limit: windowMs / 100, windowMs, burst: 100 })).paceMs;
    expect(ofWindow(3_600_000)).toBeCloseTo(ofWindow(DAY_MS));
  });
});

describe('R27 what a node may hold', () => {
  it('is 2 % of the burst, where 2 % of the limit is more than the burst', () => {
    const day = quota({ algorithm: 'token_bucket', limit: 864_000, windowMs: DAY_MS, burst: 100 });
    expect(mostHeld(day)).toBe(2);
    expect(sizing.plan(situation({ algorithm: 'token_bucket', limit: 864_000, windowMs: DAY_MS, burst: 100 }, { ratePerMs: 10 })).want).toBe(2);
  });

  it('is 2 % of the limit for windows, and for a burst above the limit', () => {
    expect(mostHeld(quota({ algorithm: 'sliding_counter', limit: 10_000, windowMs: 1000 }))).toBe(200);
    expect(mostHeld(quota({ algorithm: 'token_bucket', limit: 1000, windowMs: 1000, burst: 50_000 }))).toBe(20);
  });
});

describe('R29 the reports of a node that admits before the store knows', () => {
  it('come several times while a burst drains', () => {
    const second = quota({ algorithm: 'token_bucket', limit: 600, windowMs: 60_000, burst: 10 });
    expect(sizing.intervalMs(second)).toBeLessThanOrEqual(1000 / 4);
  });
});
