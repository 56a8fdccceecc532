import { parseAuthorizeQuery } from './authorize-query.js';

describe('R74 query of /v1/authorize', () => {
  it('has a default for everything', () => {
    expect(parseAuthorizeQuery('')).toEqual({
      ok: true,
      query: { domain: undefined, rule: undefined, cost: 1, denyStatus: 429, keys: 'optional', fields: undefined, maxDelayMs: 500, reserve: false, reserveTtlMs: undefined },
    });
  });

  it('reads all of it', () => {
    expect(parseAuthorizeQuery('domain=a%20b&rule=search&cost=0&deny_status=403&keys=none&fields=forwarded&max_delay_ms=0')).toMatchObject({
      query: { domain: 'a b', rule: 'search', cost: 0, denyStatus: 403, keys: 'none', fields: 'forwarded', maxDelayMs: 0 },
    });
    expect(parseAuthorizeQuery('cost=50&reserve=true&reserve_seconds=30&deny_status=401')).toMatchObject({ query: { cost: 50, denyStatus: 401, reserve: true, reserveTtlMs: 30_000 } });
  });

  it.each<readonly [string, string]>([
    ['rules=x', '/query/rules'],
    ['__proto__=1', '/query/__proto__'],
    ['rule=a&rule=b', '/query/rule'],
    ['rule=', '/query/rule'],
    ['domain=', '/query/domain'],
    [`domain=${'x'.repeat(129)}`, '/query/domain'],
    ...['-1', '1.5', '1e3', '', '9007199254740992'].map((cost) => [`cost=${cost}`, '/query/cost'] as const),
    ['deny_status=200', '/query/deny_status'],
    ['deny_status=500', '/query/deny_status'],
    ['keys=yes', '/query/keys'],
    ['max_delay_ms=-1', '/query/max_delay_ms'],
    ['max_delay_ms=600001', '/query/max_delay_ms'],
    ['fields=x', '/query/fields'],
    ['reserve=1', '/query/reserve'],
    ['reserve=true&cost=0', '/query/cost'],
    ['reserve_seconds=5', '/query/reserve_seconds'],
    ['reserve=true&reserve_seconds=0', '/query/reserve_seconds'],
    ['reserve=true&reserve_seconds=86401', '/query/reserve_seconds'],
  ])('refuses %s, with a pointer', (text, pointer) => {
    const parsed = parseAuthorizeQuery(text);
    expect(parsed.ok ? [] : parsed.faults.map((fault) => fault.pointer)).toEqual([pointer]);
  });
});
