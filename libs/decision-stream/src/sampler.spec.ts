import { seeded } from '../test/support.js';
import { Sampler } from './sampler.js';

function picksOf(sampler: Sampler, count: number): boolean[] {
  return Array.from({ length: count }, () => sampler.picks());
}

describe('R80 a share of the allows', () => {
  it.each([0.000001, 0.01, 0.3, 0.5, 0.999])('of %d is picked as often, and the rest counted', (share) => {
    const sampler = new Sampler(share, seeded(80));
    const count = 200_000;
    const picked = picksOf(sampler, count).filter(Boolean).length;
    const deviation = Math.sqrt(count * share * (1 - share));
    expect(Math.abs(picked - count * share)).toBeLessThan(4 * deviation);
    expect(sampler.leftOut).toBe(count - picked);
  });

  it('is picked independently: what follows a pick, and what lies between two, is as with single draws', () => {
    const share = 0.2;
    const picks = picksOf(new Sampler(share, seeded(81)), 100_000);
    const gaps = [0, 0, 0, 0, 0];
    let gap = 0;
    for (const picked of picks) {
      if (!picked) gap += 1;
      else {
        if (gap < gaps.length) gaps[gap]! += 1;
        gap = 0;
      }
    }
    const all = picks.filter(Boolean).length;
    gaps.forEach((seen, at) => {
      const expected = all * share * (1 - share) ** at;
      expect(Math.abs(seen - expected)).toBeLessThan(4 * Math.sqrt(expected));
    });
  });

  it('of all is all, and of none is none, however long it goes on', () => {
    expect(picksOf(new Sampler(1, () => 0.5), 10_000).every(Boolean)).toBe(true);
    const none = new Sampler(0, () => 0);
    expect(picksOf(none, 10_000).some(Boolean)).toBe(false);
    expect(none.leftOut).toBe(10_000);
    // Past the end of a long skip.
    Object.assign(none, { left: 2 });
    expect(picksOf(none, 4)).toEqual([false, false, false, false]);
    expect(none.leftOut).toBe(2 ** 30 + 2);
  });

  it('holds at both ends of random', () => {
    expect(new Sampler(0.01, () => 0).picks()).toBe(true);
    expect(picksOf(new Sampler(1e-6, () => 1 - 2 ** -53), 1_000).some(Boolean)).toBe(false);
  });
});
