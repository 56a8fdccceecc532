import { Generations } from './generations.js';

describe('R30 what is known of split counters', () => {
  it('is forgotten when it was not asked for in one to two spans', () => {
    const known = new Generations<string>(1000, 10);
    known.tick(0);
    known.set(1, 'a');
    known.set(2, 'b');
    known.tick(999);
    known.tick(1000);
    expect(known.get(1)).toBe('a');
    known.tick(2000);
    expect(known.get(1)).toBe('a');
    expect(known.get(2)).toBeUndefined();
  });

  it('is bounded, and who is asked for stays', () => {
    const known = new Generations<number>(1000, 10);
    for (let at = 0; at < 1000; at += 1) {
      known.set(at, at);
      expect(known.get(0)).toBe(0);
      expect(known.size).toBeLessThanOrEqual(20);
    }
  });
});
