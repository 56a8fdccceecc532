import { quota } from '@sluice/algorithms';
import { busiest } from '../src/measure/busiest.js';
import { chancePeak } from '../src/measure/chance-peak.js';
import { mostInWindow } from '../src/measure/most-in-window.js';
import { replay } from '../src/measure/replay.js';
import { seeded } from '../src/random.js';
import { Agenda } from '../src/time/agenda.js';

describe('what a run is measured by', () => {
  it('R23 counts the most in a trailing window, open at its start', () => {
    expect(mostInWindow([0, 5, 10, 14, 15, 30], 10)).toBe(3);
    expect(mostInWindow([0, 10, 20], 10)).toBe(1);
    expect(mostInWindow([], 10)).toBe(0);
  });

  it('R23 and R24 see in the replay what was let pass too much, and what was refused for no reason', () => {
    const one = quota({ algorithm: 'fixed_window', limit: 2, windowMs: 1000 });
    const request = (decidedAtMs: number, allowed: boolean) => ({ arrivedAtMs: decidedAtMs, key: 0, allowed, local: true, decidedAtMs });
    const storeMs = (atMs: number): number => 1_000_000 + Math.floor(atMs);
    expect(replay([request(1, true), request(2, true), request(3, true)], one, storeMs)).toEqual({ overAdmitted: 1, falselyRefused: 0 });
    expect(replay([request(1, true), request(5, false), request(1001, true)], one, storeMs)).toEqual({ overAdmitted: 0, falselyRefused: 1 });
    expect(replay([request(1, true), request(2, true), request(900, false), request(1001, false)], one, storeMs)).toEqual({ overAdmitted: 0, falselyRefused: 0 });
  });

  it('R26 finds the busiest 10 ms, and that after a roll', () => {
    const runs = [100, 101, 500, 501, 502, 509, 511];
    expect(busiest(runs, 0, 1000, 1000, (atMs) => atMs)).toEqual({ mean: 0.07, ever: 4, afterRoll: 0, momentsAfterRolls: 10 });
    expect(busiest(runs, 0, 1000, 1000, (atMs) => (atMs + 900) % 1000).afterRoll).toBe(2);
  });

  it('R26 grants what a Poisson stream reaches by chance, and hardly more', () => {
    const random = seeded(3);
    for (const mean of [0.1, 1, 10]) {
      let exceeded = 0;
      for (let round = 0; round < 200; round += 1) {
        let most = 0;
        for (let moment = 0; moment < 100; moment += 1) {
          let count = 0;
          for (let sum = -Math.log(1 - random()); sum < mean; sum -= Math.log(1 - random())) count += 1;
          most = Math.max(most, count);
        }
        if (most > chancePeak(mean, 100)) exceeded += 1;
      }
      expect(exceeded).toBeLessThanOrEqual(2);
    }
    expect(chancePeak(10, 100)).toBeLessThan(35);
  });
});

describe('the agenda', () => {
  it('hands out what is due first, and of the same moment what was put down first', () => {
    const random = seeded(5);
    const agenda = new Agenda();
    const seen: { atMs: number; order: number }[] = [];
    for (let order = 0; order < 500; order += 1) {
      const atMs = Math.floor(random() * 50);
      agenda.add(atMs, () => seen.push({ atMs, order }));
    }
    while (agenda.nextAtMs < Infinity) agenda.take()?.();
    expect(seen).toEqual([...seen].sort((a, b) => a.atMs - b.atMs || a.order - b.order));
    expect(seen).toHaveLength(500);
  });
});
