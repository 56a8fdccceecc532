import { ExpiringMap } from './expiring-map.js';

describe('R14 R30 ExpiringMap', () => {
  it('has a value until it ends, and hands it out once', () => {
    const map = new ExpiringMap<string>(10);
    map.put('a', 'x', 100, 0);
    expect(map.get('a', 99)).toBe('x');
    expect(map.get('a', 100)).toBeUndefined();
    expect(map.take('a', 99)).toBe('x');
    expect(map.take('a', 99)).toBeUndefined();
    map.put('a', 'x', 100, 0);
    expect(map.take('a', 100)).toBeUndefined();
    expect(map.size).toBe(0);
  });

  it('holds no more than it may: the oldest goes', () => {
    const map = new ExpiringMap<number>(3);
    for (let at = 0; at < 5; at += 1) map.put(`k${at}`, at, 100, 0);
    expect(map.size).toBe(3);
    expect([0, 1, 2, 3, 4].map((at) => map.get(`k${at}`, 0))).toEqual([undefined, undefined, 2, 3, 4]);
    map.put('k2', 22, 100, 0);
    expect(map.get('k3', 0)).toBe(3);
    expect(map.get('k2', 0)).toBe(22);
  });

  it('known failures 43 and 68: frees what has ended without a timer, as it is used', () => {
    const map = new ExpiringMap<number>(1_000_000);
    for (let at = 0; at < 100_000; at += 1) map.put(`k${at}`, at, at + 100, at);
    expect(map.size).toBeLessThan(300);
  });
});
