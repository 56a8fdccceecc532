import { decision, outcome, seeded } from '../test/support.js';
import { AllowSampling } from './allow-sampling.js';

const by = (...rules: readonly string[]) => decision(...rules.map((ruleId) => outcome({ ruleId })));

describe('R80 shares by rule', () => {
  const sampling = new AllowSampling(0.1, new Map([['search', 1], ['login', 0.5], ['health', 0]]), seeded(1));

  it.each([
    [['search'], 1],
    [['items', 'search'], 1],
    [['login', 'search', 'health'], 1],
    [['login', 'items'], 0.5],
    [['items'], 0.1],
    [['health', 'items'], 0.1],
    [[], 0.1],
  ])('a decision by %j has the share %d, the greatest', (rules, share) => {
    const shares = Array.from({ length: 200 }, () => sampling.shareOf(by(...rules)));
    expect(new Set(shares.filter((one) => one > 0))).toEqual(new Set([share]));
    expect(shares.includes(0)).toBe(share < 1);
  });

  it('a rule with share 0 is left out, and counted', () => {
    const before = sampling.leftOut;
    for (let at = 0; at < 100; at += 1) expect(sampling.shareOf(by('health'))).toBe(0);
    expect(sampling.leftOut).toBe(before + 100);
  });

  it('looks no rules up where none has a share of its own', () => {
    const plain = new AllowSampling(1, new Map(), Math.random);
    const unread = { ...by('items') };
    Object.defineProperty(unread, 'policies', { get: () => expect(true).toBe(false) });
    expect(plain.shareOf(unread)).toBe(1);
  });
});
