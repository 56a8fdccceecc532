import type { Rule } from '@sluice/rules';
import { type RedisServer, startRedis } from '@sluice/testkit';
import { CODE, OVERRIDE_UNITS } from '../src/messages.js';
import { GRPC_STATUS } from '../src/transport/grpc-fault.js';
import { answered, descriptor, fieldsOf, request } from './support/ask.js';
import { indexOf, type ServiceOnRedis, serviceOnRedis } from './support/service-on-redis.js';

/** As upstream counts, but over an hour: no test is near its end. */
const HOURLY = { algorithm: 'fixed_window', consistency: 'exact', window_seconds: 3600 } as const;
const MAX_UINT32 = 2 ** 32 - 1;

let redis: RedisServer;
let open: ServiceOnRedis | undefined;

async function on(rules: readonly Partial<Rule>[], options: Parameters<typeof serviceOnRedis>[2] = {}): Promise<ServiceOnRedis> {
  open = await serviceOnRedis(redis, rules, options);
  return open;
}
const unit = (name: (typeof OVERRIDE_UNITS)[number]): number => OVERRIDE_UNITS.indexOf(name);
const codesOf = ({ overallCode, statuses }: Awaited<ReturnType<typeof answered>>): number[] => [overallCode, ...statuses.map(({ code }) => code)];
const leftOf = ({ statuses }: Awaited<ReturnType<typeof answered>>): number[] => statuses.map(({ limitRemaining }) => limitRemaining);

beforeAll(async () => {
  redis = await startRedis();
});
afterEach(async () => {
  await open?.close();
  open = undefined;
});
afterAll(() => redis.stop());

describe('R73 requests that are refused (1, 2)', () => {
  it.each([
    ['an empty domain, before anything else', request([], { domain: '' }), 'rate limit domain must not be empty'],
    ['no descriptors', request([]), 'rate limit descriptor list must not be empty'],
  ])("(1) deviation: %s is INVALID_ARGUMENT, with upstream's text", async (_what, asked, message) => {
    const { service } = await on([], { hasRules: () => false });
    expect(service(asked)).toEqual({ code: GRPC_STATUS.invalidArgument, message });
  });

  it('(1) deviation: without rules it is UNAVAILABLE, and nothing passes as if it were unlimited', async () => {
    let loaded = false;
    const { service } = await on([], { hasRules: () => loaded });
    expect(service(request([descriptor({ k: 'v' })]))).toEqual({ code: GRPC_STATUS.unavailable, message: 'no rate limit configuration loaded' });
    loaded = true;
    expect(await answered(service(request([descriptor({ k: 'v' })])))).toMatchObject({ overallCode: CODE.ok });
  });

  it.each([
    ['an empty key', request([descriptor({ k: 'v' }), descriptor({ '': 'v' })]), /^descriptors\[1\]\.entries\[0\]\.key/],
    ['a lone descriptor with a key that is too long', request([descriptor({ ['k'.repeat(129)]: 'v' })]), /^descriptors\[0\]\.entries\[0\]\.key/],
    ['too many descriptors', request(Array.from({ length: 65 }, () => descriptor({ k: 'v' }))), /^descriptors must have at most 64/],
    ['a domain that is too long', request([descriptor({ k: 'v' })], { domain: 'd'.repeat(129) }), /^domain/],
    ['an override without a unit', request([descriptor({ k: 'v' }, { limit: { requestsPerUnit: 1, unit: unit('UNKNOWN') } })]), /^descriptors\[0\]\.limit\.unit must be SECOND.*not 0$/],
    ['an override whose unit is not defined', request([descriptor({ k: 'v' }, { limit: { requestsPerUnit: 1, unit: 7 } })]), /not 7$/],
  ])('(2) deviation: %s is INVALID_ARGUMENT, names the descriptor and charges nothing', async (_what, asked, message) => {
    const { service, dump } = await on([{ ...HOURLY, count_by: ['k'] }, { ...HOURLY, policy: 'all', count_by: ['domain'] }]);
    const before = await dump();
    expect(service(asked)).toEqual({ code: GRPC_STATUS.invalidArgument, message: expect.stringMatching(message) });
    expect(await dump()).toEqual(before);
  });

  it('(2) a descriptor without entries, or with an empty value, is one like any other', async () => {
    const { service } = await on([{ ...HOURLY, count_by: ['k'], limit: 5 }]);
    expect((await answered(service(request([descriptor({}), descriptor({ k: '' })])))).statuses).toMatchObject([
      { code: CODE.ok, currentLimit: undefined },
      { code: CODE.ok, currentLimit: { requestsPerUnit: 5 }, limitRemaining: 4 },
    ]);
  });
});

describe('R73 statuses (3 to 6, 12, 13)', () => {
  it('(3) an unknown domain is OK', async () => {
    const { service } = await on([{ ...HOURLY, domain: 'known', count_by: ['k'] }]);
    expect(await answered(service(request([descriptor({ k: 'v' })], { domain: 'unknown' })))).toMatchObject({ overallCode: CODE.ok, statuses: [{ code: CODE.ok, currentLimit: undefined }] });
  });

  it('(4) there is one for each descriptor, in their order', async () => {
    const { service } = await on([{ ...HOURLY, count_by: ['a'], policy: 'a', limit: 7 }, { ...HOURLY, count_by: ['b'], policy: 'b', limit: 3 }]);
    const asked = request([descriptor({ b: '1' }), descriptor({ none: '1' }), descriptor({ a: '1' })]);
    expect((await answered(service(asked))).statuses.map(({ currentLimit }) => currentLimit?.name)).toEqual(['b', undefined, 'a']);
  });

  it('(5) the overall code is over as soon as one of them is, and never UNKNOWN', async () => {
    const { service } = await on([{ ...HOURLY, descriptors: { k: 'tight' }, count_by: ['k'] }, { ...HOURLY, descriptors: { k: 'wide' }, count_by: ['k'], limit: 100 }]);
    const both = request([descriptor({ k: 'wide' }), descriptor({ k: 'tight' })]);
    expect(codesOf(await answered(service(both)))).toEqual([CODE.ok, CODE.ok, CODE.ok]);
    expect(codesOf(await answered(service(both)))).toEqual([CODE.overLimit, CODE.ok, CODE.overLimit]);
  });

  it('(5) R58 a rule in shadow never changes a code', async () => {
    const { service } = await on([{ ...HOURLY, count_by: ['k'], mode: 'shadow' }]);
    for (let hit = 0; hit < 3; hit += 1) expect(codesOf(await answered(service(request([descriptor({ k: 'v' })]))))).toEqual([CODE.ok, CODE.ok]);
  });

  it('(6) the hit that makes the limit full is OK with nothing left, the next one is over', async () => {
    const { service } = await on([{ ...HOURLY, count_by: ['k'], limit: 2 }]);
    const hit = async (): Promise<number[]> => {
      const answer = await answered(service(request([descriptor({ k: 'v' })])));
      return [answer.overallCode, ...leftOf(answer)];
    };
    expect([await hit(), await hit(), await hit()]).toEqual([[CODE.ok, 1], [CODE.ok, 0], [CODE.overLimit, 0]]);
  });

  it('(6) over means that nothing remains, though a smaller cost might pass: what is left is in our fields', async () => {
    const { service } = await on([{ ...HOURLY, count_by: ['k'], limit: 10 }]);
    await answered(service(request([descriptor({ k: 'v' })], { hitsAddend: 8 })));
    const refused = await answered(service(request([descriptor({ k: 'v' })], { hitsAddend: 5 })));
    expect([refused.overallCode, ...leftOf(refused), fieldsOf(refused)['x-ratelimit-remaining']]).toEqual([CODE.overLimit, 0, '2']);
  });

  it('(12) deviation: of several rules that apply to one descriptor the status shows the one that decides', async () => {
    const { service } = await on([{ ...HOURLY, count_by: ['k'], policy: 'per-key', limit: 2 }, { ...HOURLY, count_by: ['domain'], policy: 'per-domain', limit: 3 }]);
    const named = async (k: string): Promise<unknown> => {
      const { statuses: [status] } = await answered(service(request([descriptor({ k })])));
      return [status?.code, status?.currentLimit?.name, status?.limitRemaining];
    };
    expect(await named('a')).toEqual([CODE.ok, 'per-key', 1]);
    expect(await named('a')).toEqual([CODE.ok, 'per-key', 0]);
    expect(await named('a')).toEqual([CODE.overLimit, 'per-key', 0]);
    expect(await named('b')).toEqual([CODE.ok, 'per-domain', 0]);
    expect(await named('c')).toEqual([CODE.overLimit, 'per-domain', 0]);
  });

  it('(12) numbers beyond a uint32 are cut to it', async () => {
    const { service } = await on([{ ...HOURLY, count_by: ['k'], limit: Number.MAX_SAFE_INTEGER }]);
    expect((await answered(service(request([descriptor({ k: 'v' })])))).statuses).toMatchObject([{ currentLimit: { requestsPerUnit: MAX_UINT32 }, limitRemaining: MAX_UINT32 }]);
  });

  it('(12) deviation: a window that is no unit has the nearest in current_limit, and is exact in our fields', async () => {
    const { service } = await on([{ ...HOURLY, window_seconds: 600, count_by: ['k'], limit: 5 }]);
    const answer = await answered(service(request([descriptor({ k: 'v' })])));
    expect(answer.statuses[0]?.currentLimit).toEqual({ requestsPerUnit: 5, unit: 'HOUR', name: 'default' });
    expect(fieldsOf(answer)['ratelimit-policy']).toBe('"default";q=5;w=600');
  });

  it('(13) the time to the reset is whole seconds, at least one and never too early', async () => {
    const { service } = await on([{ algorithm: 'fixed_window', consistency: 'exact', count_by: ['k'], window_seconds: 0.5, limit: 100 }]);
    for (let hit = 0; hit < 5; hit += 1) {
      expect((await answered(service(request([descriptor({ k: 'v' })])))).statuses[0]?.durationUntilResetMs).toBe(1000);
    }
    expect((await answered(service(request([descriptor({ k: 'fresh' }, { hitsAddend: 0 })])))).statuses[0]?.durationUntilResetMs).toBe(1000);
  });
});

describe('R73 hits (7 to 10)', () => {
  const rule = { ...HOURLY, count_by: ['k'], limit: 10 };
  const k = (rest: Parameters<typeof descriptor>[1] = {}): ReturnType<typeof descriptor> => descriptor({ k: 'v' }, rest);
  const left = async (open: ServiceOnRedis): Promise<number[]> => leftOf(await answered(open.service(request([k({ hitsAddend: 0 })]))));

  it("(7) the request's addend counts for descriptors without one, and 0 means 1", async () => {
    const at = await on([rule]);
    await answered(at.service(request([k()], { hitsAddend: 0 })));
    expect(await left(at)).toEqual([9]);
    await answered(at.service(request([k()], { hitsAddend: 3 })));
    expect(await left(at)).toEqual([6]);
  });

  it("(7) the descriptor's own addend wins, and 0 is a peek that writes nothing and is not observed", async () => {
    const at = await on([rule]);
    await answered(at.service(request([k({ hitsAddend: 4 })], { hitsAddend: 2 })));
    const [before, seen] = [await at.dump(), at.observed.length];
    expect(leftOf(await answered(at.service(request([k({ hitsAddend: 0 })], { hitsAddend: 2 }))))).toEqual([6]);
    expect(await at.dump()).toEqual(before);
    expect(at.observed).toHaveLength(seen);
  });

  it('(8) a peek at a limit that is full is OK with nothing left', async () => {
    const at = await on([rule]);
    await answered(at.service(request([k({ hitsAddend: 10 })])));
    const peeked = await answered(at.service(request([k({ hitsAddend: 0 })])));
    expect([codesOf(peeked), leftOf(peeked)]).toEqual([[CODE.ok, CODE.ok], [0]]);
  });

  it('(8) with charge_denied a limit of N that is charged on stream done admits N + 1, as upstream: then a peek is over', async () => {
    const at = await on([{ ...rule, limit: 3, charge_denied: true }]);
    const codes = [];
    for (let stream = 0; stream < 6; stream += 1) {
      const { overallCode } = await answered(at.service(request([k({ hitsAddend: 0 })])));
      codes.push(overallCode);
      if (overallCode === CODE.ok) await answered(at.service(request([k({ hitsAddend: 1 })])));
    }
    expect(codes).toEqual([CODE.ok, CODE.ok, CODE.ok, CODE.ok, CODE.overLimit, CODE.overLimit]);
  });

  it('(9) deviation: weighted hits are all or nothing, and what is refused is not charged (known failure 2)', async () => {
    const at = await on([rule]);
    const codes = [];
    for (const hitsAddend of [8, 5, 1, 1, 1]) codes.push((await answered(at.service(request([k({ hitsAddend })])))).overallCode);
    expect(codes).toEqual([CODE.ok, CODE.overLimit, CODE.ok, CODE.ok, CODE.overLimit]);
  });

  it('(9) a cost above the limit is refused, with no Retry-After', async () => {
    const at = await on([rule]);
    const refused = await answered(at.service(request([k({ hitsAddend: 11 })])));
    expect(codesOf(refused)).toEqual([CODE.overLimit, CODE.overLimit]);
    expect(JSON.parse(refused.rawBody)).toMatchObject({ type: 'urn:sluice:problem:cost-exceeds-limit', reason: 'cost_exceeds_limit' });
    expect(fieldsOf(refused)).not.toHaveProperty('retry-after');
  });

  it('(10) deviation: several descriptors are charged all or none (known failure 8)', async () => {
    const at = await on([{ ...HOURLY, count_by: ['a'], policy: 'a', limit: 10 }, { ...HOURLY, count_by: ['b'], policy: 'b', limit: 1 }]);
    const both = request([descriptor({ a: '1' }), descriptor({ b: '1' })]);
    await answered(at.service(both));
    const before = await at.dump();
    for (let hit = 0; hit < 5; hit += 1) expect(codesOf(await answered(at.service(both)))).toEqual([CODE.overLimit, CODE.ok, CODE.overLimit]);
    expect(await at.dump()).toEqual(before);
    expect(leftOf(await answered(at.service(request([descriptor({ a: '1' }, { hitsAddend: 0 })]))))).toEqual([9]);
  });

  it('(10) the same descriptor twice counts twice', async () => {
    const at = await on([rule]);
    await answered(at.service(request([k(), k()])));
    expect(await left(at)).toEqual([8]);
  });

  it('(10) deviation: a peek that is over refuses the request, and what the others were charged goes back', async () => {
    const at = await on([{ ...HOURLY, count_by: ['tokens'], policy: 'tokens', limit: 1, charge_denied: true }, { ...HOURLY, count_by: ['k'], policy: 'requests', limit: 10 }]);
    const tokens = (hitsAddend: number): ReturnType<typeof descriptor> => descriptor({ tokens: 't' }, { hitsAddend });
    for (let hit = 0; hit < 2; hit += 1) await answered(at.service(request([tokens(1)])));
    const refused = await answered(at.service(request([tokens(0), k()])));
    expect([codesOf(refused), leftOf(refused)]).toEqual([[CODE.overLimit, CODE.overLimit, CODE.ok], [0, 10]]);
    expect(await left(at)).toEqual([10]);
  });
});

describe('R73 negative hits', () => {
  const rule = { ...HOURLY, count_by: ['k'], limit: 10 };
  const hit = (hitsAddend: number, isNegativeHits = false): ReturnType<typeof request> => request([descriptor({ k: 'v' }, { hitsAddend, isNegativeHits })]);

  it('give permits back, also where nothing is left (known failure 7), and say what remains', async () => {
    const { service, observed } = await on([rule]);
    await answered(service(hit(10)));
    const seen = observed.length;
    const given = await answered(service(hit(4, true)));
    expect([codesOf(given), leftOf(given)]).toEqual([[CODE.ok, CODE.ok], [4]]);
    expect(given.statuses[0]?.currentLimit).toEqual({ requestsPerUnit: 10, unit: 'HOUR', name: 'default' });
    expect(observed).toHaveLength(seen);
  });

  it('never lift what remains above the limit', async () => {
    const { service } = await on([rule]);
    await answered(service(hit(3)));
    expect(leftOf(await answered(service(hit(100, true))))).toEqual([10]);
    expect(leftOf(await answered(service(hit(0))))).toEqual([10]);
  });

  it('count for the very request that they come with', async () => {
    const { service } = await on([rule]);
    await answered(service(hit(10)));
    const both = request([descriptor({ k: 'v' }, { hitsAddend: 2 }), descriptor({ k: 'v' }, { hitsAddend: 2, isNegativeHits: true })]);
    expect(codesOf(await answered(service(both)))).toEqual([CODE.ok, CODE.ok, CODE.ok]);
    expect(codesOf(await answered(service(hit(1))))).toEqual([CODE.overLimit, CODE.overLimit]);
  });

  it('are OK also where the counter is beyond its limit still, and the answer has nothing of a refusal', async () => {
    const { service } = await on([{ ...rule, charge_denied: true }]);
    for (const cost of [8, 8]) await answered(service(hit(cost)));
    expect((await answered(service(hit(0)))).overallCode).toBe(CODE.overLimit);
    const given = await answered(service(hit(2, true)));
    expect([codesOf(given), leftOf(given), given.responseHeadersToAdd, given.rawBody]).toEqual([[CODE.ok, CODE.ok], [0], [], '']);
  });

  it('of a descriptor that nothing applies to are OK', async () => {
    const { service } = await on([rule]);
    expect(await answered(service(request([descriptor({ x: 'v' }, { hitsAddend: 2, isNegativeHits: true })])))).toMatchObject({ overallCode: CODE.ok, statuses: [{ currentLimit: undefined }] });
  });

  it('of a limit that the caller names go back to that one', async () => {
    const { service } = await on([]);
    const limit = { requestsPerUnit: 5, unit: unit('DAY') };
    const named = (hitsAddend: number, isNegativeHits = false): ReturnType<typeof request> => request([descriptor({ k: 'v' }, { limit, hitsAddend, isNegativeHits })]);
    await answered(service(named(5)));
    expect(leftOf(await answered(service(named(2, true))))).toEqual([2]);
  });
});

describe('R73 overrides (11)', () => {
  const limited = (requestsPerUnit: number, name: (typeof OVERRIDE_UNITS)[number], hitsAddend?: number): ReturnType<typeof request> =>
    request([descriptor({ k: 'v' }, { limit: { requestsPerUnit, unit: unit(name) }, ...(hitsAddend === undefined ? {} : { hitsAddend }) })]);

  it.each([
    ['SECOND', 'SECOND'],
    ['MINUTE', 'MINUTE'],
    ['HOUR', 'HOUR'],
    ['DAY', 'DAY'],
    ['MONTH', 'MONTH'],
    ['YEAR', 'YEAR'],
  ] as const)('a limit by the %s goes before the rules', async (name, shown) => {
    const { service } = await on([{ ...HOURLY, window_seconds: 7200, count_by: ['k'], limit: 1 }]);
    const { overallCode, statuses } = await answered(service(limited(1000, name)));
    expect([overallCode, statuses[0]?.limitRemaining]).toEqual([CODE.ok, 999]);
    expect(statuses[0]?.currentLimit).toMatchObject({ requestsPerUnit: 1000, unit: shown });
  });

  it('by the month and the year ends when those of the calendar do, in UTC', async () => {
    const { service } = await on([]);
    const now = new Date();
    for (const [name, ends] of [
      ['MONTH', Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1)],
      ['YEAR', Date.UTC(now.getUTCFullYear() + 1, 0)],
    ] as const) {
      const endsMs = (await answered(service(limited(10, name)))).statuses[0]?.durationUntilResetMs ?? NaN;
      expect(Math.abs(Date.now() + endsMs - ends)).toBeLessThan(5_000);
    }
  });

  it('counts where the rule of the same window counts', async () => {
    const { service } = await on([{ ...HOURLY, count_by: ['k'], limit: 10 }]);
    await answered(service(request([descriptor({ k: 'v' })], { hitsAddend: 4 })));
    expect(leftOf(await answered(service(limited(20, 'HOUR'))))).toEqual([15]);
    expect(leftOf(await answered(service(request([descriptor({ k: 'v' }, { hitsAddend: 0 })]))))).toEqual([5]);
  });

  it('of 0 bans, and says when the window ends', async () => {
    const { service } = await on([]);
    const banned = await answered(service(limited(0, 'MINUTE')));
    expect([codesOf(banned), leftOf(banned)]).toEqual([[CODE.overLimit, CODE.overLimit], [0]]);
    expect(banned.statuses[0]?.durationUntilResetMs).toBeLessThanOrEqual(60_000);
    expect(Number(fieldsOf(banned)['retry-after'])).toBeLessThanOrEqual(60);
  });

  it('deviation: counts for a domain that no rule names, too, since there is no list of domains', async () => {
    const { service } = await on([]);
    const codes = [];
    for (let hit = 0; hit < 3; hit += 1) codes.push((await answered(service(limited(2, 'DAY')))).overallCode);
    expect(codes).toEqual([CODE.ok, CODE.ok, CODE.overLimit]);
  });

  it('and several of them, with a rule beside, are charged all or none', async () => {
    const { service } = await on([{ ...HOURLY, count_by: ['r'], limit: 1 }]);
    const both = request([descriptor({ k: 'v' }, { limit: { requestsPerUnit: 5, unit: unit('DAY') } }), descriptor({ r: '1' })]);
    expect(leftOf(await answered(service(both)))).toEqual([4, 0]);
    const refused = await answered(service(both));
    expect([codesOf(refused), leftOf(refused)]).toEqual([[CODE.overLimit, CODE.ok, CODE.overLimit], [4, 0]]);
  });
});

describe('R73 R20 with the permits at hand', () => {
  it.each([
    ['one descriptor', [descriptor({ a: '1' })]],
    ['several', [descriptor({ a: '1' }), descriptor({ b: '1' })]],
    ['several with a limit of their own', [descriptor({ a: '1' }), descriptor({ c: '1' }, { limit: { requestsPerUnit: 1000, unit: unit('HOUR') } })]],
  ])('%s: there is no promise between request and answer', async (_what, descriptors) => {
    const { service } = await on([{ ...HOURLY, consistency: 'leased', count_by: ['a'], policy: 'a', limit: 1000 }, { ...HOURLY, consistency: 'leased', count_by: ['b'], policy: 'b', limit: 1000 }]);
    // The first asks the store, and learns how much is wanted.
    for (let hit = 0; hit < 20; hit += 1) await answered(service(request(descriptors)));
    expect(service(request(descriptors))).toMatchObject({ overallCode: CODE.ok });
  });
});

describe('R73 counters (14)', () => {
  it('deviation: keys are encoded injectively: (a_b, c) and (a, b_c) have a counter each (known failure 32)', async () => {
    const { service } = await on([{ ...HOURLY, descriptors: { 'a_b': '*' }, count_by: ['a_b'], limit: 1 }, { ...HOURLY, descriptors: { a: '*' }, count_by: ['a'], limit: 1 }]);
    expect((await answered(service(request([descriptor({ a_b: 'c' })])))).overallCode).toBe(CODE.ok);
    expect((await answered(service(request([descriptor({ a: 'b_c' })])))).overallCode).toBe(CODE.ok);
  });

  it('known failure 31: a value of 100 kB is limited as any other, and apart from its neighbour', async () => {
    const { service } = await on([{ ...HOURLY, count_by: ['k'], limit: 1 }]);
    const long = async (end: string): Promise<number> => (await answered(service(request([descriptor({ k: 'x'.repeat(100_000) + end })])))).overallCode;
    expect([await long('a'), await long('a'), await long('b')]).toEqual([CODE.ok, CODE.overLimit, CODE.ok]);
  });

  it('R61 a limit that is raised keeps the count', async () => {
    const { service, limiter } = await on([{ ...HOURLY, count_by: ['k'], limit: 5 }]);
    await answered(service(request([descriptor({ k: 'v' })], { hitsAddend: 5 })));
    limiter.use(indexOf([{ ...HOURLY, count_by: ['k'], limit: 8 }], 2));
    expect(leftOf(await answered(service(request([descriptor({ k: 'v' })]))))).toEqual([2]);
  });

  it('R11 the client address of Envoy is counted as any other: IPv6 by its subnet', async () => {
    const { service } = await on([{ ...HOURLY, count_by: ['ip'], limit: 1 }]);
    const from = async (address: string): Promise<number> => (await answered(service(request([descriptor({ remote_address: address })])))).overallCode;
    expect([await from('2001:db8:1:2::1'), await from('2001:db8:1:2::2'), await from('2001:db8:1:3::1')]).toEqual([CODE.ok, CODE.overLimit, CODE.ok]);
  });
});

describe('R80 what is observed has its attributes', () => {
  const rules = [
    { ...HOURLY, count_by: ['k'], descriptors: { k: '*' }, limit: 3 },
    { ...HOURLY, policy: 'ip', count_by: ['ip'], descriptors: { ip: '*' }, limit: 1 },
  ];
  const k = (value: string, more: Parameters<typeof descriptor>[1] = {}) => descriptor({ k: value }, more);
  const from = descriptor({ remote_address: '192.0.2.1' });

  it('of one descriptor those of it, of several each its own', async () => {
    const { service, attributes } = await on(rules);
    await answered(service(request([k('a')])));
    await answered(service(request([k('b'), from])));
    expect(attributes.map((known) => ({ ...known }))).toMatchObject([{ k: 'a' }, { k: 'b' }, { ip: '192.0.2.1', remote_address: '192.0.2.1' }]);
  });

  it('of a request that is refused, those of what refuses it: what else allowed was not let pass', async () => {
    const { service, observed, attributes } = await on(rules);
    await answered(service(request([from, k('a')])));
    expect(codesOf(await answered(service(request([k('a'), from]))))).toEqual([CODE.overLimit, CODE.ok, CODE.overLimit]);
    expect(observed.slice(2).map(({ allowed }) => allowed)).toEqual([true, false]);
    expect(attributes.slice(2).map((known) => known?.['ip'])).toEqual([undefined, '192.0.2.1']);
    expect(attributes[2]).toBeUndefined();
  });

  it('of a descriptor that only looks beside one that charges, nothing', async () => {
    const { service, attributes } = await on(rules);
    await answered(service(request([k('a', { hitsAddend: 3 })])));
    expect(codesOf(await answered(service(request([k('b'), k('a', { hitsAddend: 0 })]))))[0]).toBe(CODE.ok);
    expect(attributes.slice(1).map((known) => known?.['k'])).toEqual(['b']);
  });
});
