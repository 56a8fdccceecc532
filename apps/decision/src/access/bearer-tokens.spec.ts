import { bearerTokens } from './bearer-tokens.js';

describe('tokens of services', () => {
  const shows = bearerTokens(['first-token', 'second-token']);

  it('takes each of the list, again and again, in any order', () => {
    for (let times = 0; times < 3; times += 1) {
      expect(shows('Bearer first-token')).toBe(true);
      expect(shows('bearer  second-token ')).toBe(true);
    }
  });

  it('takes nothing else, also not what is as long as the last good one', () => {
    expect(shows('Bearer first-token')).toBe(true);
    for (const given of [undefined, '', 'Bearer ', 'Bearer first-tokem', 'Bearer third-token', 'Bearer first-token2', 'Basic first-token1', 'first-token', 'Bearer first-token,second-token', 'Bearer firſt-token', 'Bearer \u0166irst-token'])
      expect([given, shows(given)]).toEqual([given, false]);
    expect(shows('Bearer first-token')).toBe(true);
  });

  it('takes nothing where there are none', () => {
    expect(bearerTokens([])('Bearer ')).toBe(false);
    expect(bearerTokens([])('')).toBe(false);
  });
});
