import fc from 'fast-check';
import { EdgeTable } from './edge-table.js';

const network = (number: number): Uint32Array => Uint32Array.of(0, 0, 0xffff, number);

describe("R76 the edge's own limit", () => {
  it('passes the burst at once, then one an interval, and says exactly when', () => {
    const table = new EdgeTable({ limit: 3, windowMs: 1000 });
    expect([0, 0, 0].map(() => table.take(network(1), 5000))).toEqual([0, 0, 0]);
    const waitMs = table.take(network(1), 5000);
    expect(waitMs).toBe(334);
    expect(table.take(network(1), 5000 + waitMs - 1)).toBe(1);
    expect(table.take(network(1), 5000 + waitMs)).toBe(0);
    expect(table.freeInMs(network(1), 5000 + waitMs)).toBe(1000);
  });

  it('what is refused takes nothing', () => {
    const table = new EdgeTable({ limit: 1, windowMs: 1000 });
    expect(table.take(network(1), 0)).toBe(0);
    expect(new Set(Array.from({ length: 100 }, () => table.take(network(1), 500)))).toEqual(new Set([500]));
    expect(table.take(network(1), 1000)).toBe(0);
  });

  it('never drifts: in the long run the limit passes, to the request', () => {
    const table = new EdgeTable({ limit: 7, windowMs: 1000 });
    let passed = 0;
    for (let nowMs = 0; nowMs < 1_000_000; nowMs += 10) if (table.take(network(1), nowMs) === 0) passed += 1;
    expect(passed).toBe(7 * 1000 - 1 + 7);
  });

  it('at most twice the limit in any window, and whoever waits as told passes', () => {
    const arrivals = fc.array(fc.integer({ min: 0, max: 300 }), { minLength: 20, maxLength: 200 });
    fc.assert(
      fc.property(arrivals, fc.integer({ min: 1, max: 20 }), (gaps, limit) => {
        const table = new EdgeTable({ limit, windowMs: 1000 });
        const passed: number[] = [];
        let late = 0;
        let nowMs = 0;
        for (const gap of gaps) {
          nowMs += gap;
          const waitMs = table.take(network(1), nowMs);
          if (waitMs > 0) nowMs += waitMs;
          if (waitMs > 0) late = Math.max(late, table.take(network(1), nowMs));
          passed.push(nowMs);
        }
        expect(late).toBe(0);
        expect(Math.max(...passed.map((end) => passed.filter((at) => at > end - 1000 && at <= end).length))).toBeLessThanOrEqual(2 * limit);
      }),
      { seed: 76, numRuns: 200 },
    );
  });

  it('no network is refused for what others did, however many there are', () => {
    const table = new EdgeTable({ limit: 1, windowMs: 3_600_000 }, 64);
    // All places taken, time and again, by networks that used all they had.
    const waits = new Set<number>();
    for (let number = 0; number < 10_000; number += 1) waits.add(table.take(network(number), number));
    expect(waits).toEqual(new Set([0]));
  });

  it('of a full set the one goes that would be free first, so that a flood of addresses frees no busy one', () => {
    const table = new EdgeTable({ limit: 10, windowMs: 1000 }, 8);
    for (let at = 0; at < 10; at += 1) table.take(network(1), 0);
    for (let number = 2; number < 1000; number += 1) table.take(network(number), 0);
    expect(table.take(network(1), 0)).toBeGreaterThan(0);
  });
});
