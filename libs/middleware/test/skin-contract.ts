import { request as httpRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Decision } from '@sluice/limiter';
import type { SkinWarning } from '../src/skin/warnings.js';
import { decisionOver, policyOutcome, refusal } from './decision-fixture.js';
import { allowed, scriptedDecider } from './scripted-decider.js';
import { skinConnections } from './skin-connections.js';
import { limiterWith, type SkinHarness, type TableOptions } from './skin-harness.js';
import { skinStage } from './skin-stage.js';

/** Every skin does all of this (R75). */
export function skinContract(harness: SkinHarness): void {
  describe(`R75 ${harness.name} skin`, () => {
    const stage = skinStage(harness);
    const { start } = stage;

    async function optionsOf(url: string, headers: Record<string, string>): Promise<number | undefined> {
      // `fetch` does not let a caller send these fields.
      const sent = httpRequest(`${url}/items/7`, { method: 'OPTIONS', agent: false, headers }).end();
      return new Promise((resolve, reject) => sent.on('response', (response) => response.resume().on('end', () => resolve(response.statusCode))).on('error', reject));
    }
    const endpointOfItem = harness.knowsTemplates ? 'GET /items/{id}' : 'GET /items/7';

    it('R70 states the same fields on a 200 and on a 429, and refuses with problem+json', async () => {
      const url = await start({ limiter: limiterWith({}) });
      const answers = [];
      for (let i = 0; i < 4; i += 1) answers.push(await fetch(`${url}/items/7`));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
      for (const [at, { headers }] of answers.entries()) {
        const left = [2, 1, 0, 0][at];
        expect(headers.get('x-ratelimit-limit')).toBe('3');
        expect(headers.get('x-ratelimit-remaining')).toBe(String(left));
        expect(Number(headers.get('x-ratelimit-reset'))).toBeGreaterThan(Date.now() / 1000);
        expect(headers.get('ratelimit-policy')).toBe('"default";q=3;w=60');
        expect(headers.get('ratelimit')).toMatch(new RegExp(`^"default";r=${left};t=\\d+$`));
        expect(headers.has('retry-after')).toBe(at === 3);
      }
      const refused = answers[3];
      expect(refused?.headers.get('cache-control')).toBe('no-store');
      expect(refused?.headers.get('content-type')).toMatch(/^application\/problem\+json/);
      const seconds = Number(refused?.headers.get('retry-after'));
      expect(seconds).toBeGreaterThanOrEqual(1);
      expect(await refused?.json()).toMatchObject({ status: 429, title: 'Too Many Requests', 'violated-policies': ['default'], reason: 'quota', retry_after_seconds: seconds });
      expect(stage.served).toHaveLength(3);
      expect(await answers[0]?.json()).toBe(2);
    });

    it('R70 serves who waits exactly Retry-After', async () => {
      const url = await start({ limiter: limiterWith({ limit: 1, window_seconds: 1, algorithm: 'sliding_log' }) });
      expect((await fetch(`${url}/items/7`)).status).toBe(200);
      const refused = await fetch(`${url}/items/7`);
      expect(refused.status).toBe(429);
      await sleep(Number(refused.headers.get('retry-after')) * 1000);
      expect((await fetch(`${url}/items/7`)).status).toBe(200);
    });

    it.each([1, 2, 3])('counts a request once, bound %d times', async (bindings) => {
      const limiter = scriptedDecider(allowed);
      const url = await start({ limiter }, { bindings });
      expect((await fetch(`${url}/items/7`)).status).toBe(200);
      expect(limiter.calls).toHaveLength(1);
    });

    it('decides late as well as at once', async () => {
      const url = await start({ limiter: scriptedDecider(late(allowed, 10), late(refusal(1900), 10)) });
      expect((await fetch(`${url}/items/7`)).headers.get('x-ratelimit-remaining')).toBe('4');
      const refused = await fetch(`${url}/items/7`);
      expect(refused.status).toBe(429);
      expect(refused.headers.get('retry-after')).toBe('2');
    });

    it('known failure 73: does not count preflights; any other OPTIONS is no way to be served for nothing; HEAD counts as GET', async () => {
      const preflight = { origin: 'https://shop.example', 'access-control-request-method': 'PUT' };
      const options = scriptedDecider(allowed);
      const optionsUrl = await start({ limiter: options });
      expect(await optionsOf(optionsUrl, preflight)).toBeLessThan(300);
      expect(options.calls).toHaveLength(0);
      for (const name of Object.keys(preflight)) await optionsOf(optionsUrl, { [name]: 'x' });
      expect(options.calls.map(({ attributes }) => attributes.endpoint)).toEqual([0, 0].map(() => endpointOfItem.replace('GET', 'OPTIONS')));
      await stage.close();
      const limiter = scriptedDecider(allowed);
      const url = await start({ limiter });
      expect((await fetch(`${url}/items/7`, { method: 'HEAD' })).headers.get('x-ratelimit-remaining')).toBe('4');
      await fetch(`${url}/items/7`);
      expect(limiter.calls.map(({ attributes }) => attributes.endpoint)).toEqual([endpointOfItem, endpointOfItem]);
    });

    if (harness.seesUnrouted !== false) {
      it('known failure 74: limits what no route answers', async () => {
        const url = await start({ limiter: limiterWith({ limit: 1 }) });
        expect((await fetch(`${url}/nowhere`)).status).toBe(404);
        expect((await fetch(`${url}/nowhere-else`)).status).toBe(429);
      });
    }

    it('makes the attributes: endpoint, address, rule and key; own ones win', async () => {
      const limiter = scriptedDecider(allowed);
      const url = await start({
        limiter,
        rule: 'items',
        key: ({ headers }) => headers['x-user']?.toString(),
        attributes: () => ({ tenant_id: 't1' }),
      });
      await fetch(`${url}/items/7?x=1`, { headers: { 'x-user': 'u1' } });
      await fetch(`${url}/items/7`);
      const base = { endpoint: endpointOfItem, ip: '127.0.0.1', rule: 'items', tenant_id: 't1' };
      expect(limiter.calls.map(({ attributes }) => attributes)).toEqual([{ ...base, key_id: 'u1' }, { ...base, key_id: undefined }]);
      await stage.close();
      const own = scriptedDecider(allowed);
      await fetch(`${await start({ limiter: own, attributes: () => ({ ip: 'x', endpoint: 'GET /all' }) })}/items/7`);
      expect(own.calls[0]?.attributes).toMatchObject({ ip: 'x', endpoint: 'GET /all' });
    });

    it('R77 another spelling of a target is no way around a rule', async () => {
      const limiter = scriptedDecider(allowed);
      const { hostname, port } = new URL(await start({ limiter }));
      for (const path of ['http://elsewhere.example/items/7', '/items/7?x', '/items/7#y', 'http://elsewhere.example/nowhere?z']) {
        const sent = httpRequest({ hostname, port, path, agent: false });
        sent.end();
        await new Promise((resolve, reject) => sent.on('response', (response) => response.resume().on('end', resolve)).on('error', reject));
      }
      expect(stage.served).toHaveLength(3);
      expect(limiter.calls.map(({ attributes }) => attributes.endpoint)).toEqual([endpointOfItem, endpointOfItem, endpointOfItem, ...(harness.seesUnrouted === false ? [] : ['GET /nowhere'])]);
    });

    it('R9 charges the cost, a number or by the request', async () => {
      const url = await start({ limiter: limiterWith({ limit: 10 }), cost: ({ headers }) => Number(headers['x-cost'] ?? 1) });
      const left = async (cost: string) => (await fetch(`${url}/items/7`, { headers: { 'x-cost': cost } })).headers.get('x-ratelimit-remaining');
      expect(await left('3')).toBe('7');
      expect(await left('0')).toBe('7');
      const never = await fetch(`${url}/items/7`, { headers: { 'x-cost': '11' } });
      expect(never.status).toBe(429);
      expect(never.headers.has('retry-after')).toBe(false);
      expect(await never.json()).toMatchObject({ reason: 'cost_exceeds_limit' });
      await stage.close();
      const fixed = scriptedDecider(allowed);
      await fetch(`${await start({ limiter: fixed, cost: 4 })}/items/7`);
      expect(fixed.calls[0]?.cost).toBe(4);
    });

    it('R45 a cost that is none is a bug: 500, neither a denial nor a pass', async () => {
      for (const cost of ['1.5', '-1', 'many']) {
        const url = await start({ limiter: limiterWith({}), cost: ({ headers }) => Number(headers['x-cost']) });
        const answer = await fetch(`${url}/items/7`, { headers: { 'x-cost': cost } });
        expect(answer.status).toBe(500);
        expect(stage.served).toEqual([]);
        await stage.close();
      }
      const url = await start({ limiter: scriptedDecider(Promise.reject(new RangeError('cost'))) });
      expect((await fetch(`${url}/items/7`)).status).toBe(500);
      expect(stage.served).toEqual([]);
    });

    it('does not count what is to be skipped', async () => {
      const limiter = scriptedDecider(refusal(1));
      const url = await start({ limiter, skip: ({ headers }) => headers['x-probe'] === '1' });
      const probe = await fetch(`${url}/items/7`, { headers: { 'x-probe': '1' } });
      expect([probe.status, probe.headers.has('ratelimit')]).toEqual([200, false]);
      expect((await fetch(`${url}/items/7`)).status).toBe(429);
      expect(limiter.calls).toHaveLength(1);
    });

    it('R41 refuses with 503 where the store is away and the rule says deny', async () => {
      const away = decisionOver([policyOutcome({ allowed: false, reason: 'store_unavailable' })]);
      const url = await start({ limiter: scriptedDecider(away) });
      const answer = await fetch(`${url}/items/7`);
      expect(answer.status).toBe(503);
      expect(answer.headers.get('retry-after')).toBe('1');
      expect(await answer.json()).toMatchObject({ status: 503, reason: 'store_unavailable' });
    });

    it('R41 serves where the fallback allows, and the decision says so', async () => {
      const seen: Decision[] = [];
      const url = await start({ limiter: scriptedDecider(decisionOver([policyOutcome({ source: 'fallback' })])), observe: (decision) => seen.push(decision) });
      expect((await fetch(`${url}/items/7`)).status).toBe(200);
      expect(seen.map(({ deciding }) => deciding?.source)).toEqual(['fallback']);
    });

    it('R77 known failure 71: nobody chooses his address', async () => {
      const addresses = async (trust: TableOptions['trustedProxies'], forwarded: string): Promise<unknown> => {
        const limiter = scriptedDecider(allowed);
        await fetch(`${await start({ limiter, trustedProxies: trust, onWarning: () => undefined })}/items/7`, { headers: { 'x-forwarded-for': forwarded } });
        await stage.close();
        return limiter.calls[0]?.attributes.ip;
      };
      expect(await addresses(undefined, '6.6.6.6')).toBe('127.0.0.1');
      expect(await addresses({ hops: 1 }, '6.6.6.6, 9.9.9.9')).toBe('9.9.9.9');
      expect(await addresses({ cidrs: ['127.0.0.0/8', '10.0.0.0/8'] }, '6.6.6.6, 9.9.9.9, 10.0.0.3')).toBe('9.9.9.9');
      expect(await addresses({ cidrs: ['10.0.0.0/8'] }, '6.6.6.6')).toBe('127.0.0.1');
      expect(await addresses({ hops: 1 }, 'nonsense')).toBe('127.0.0.1');
    });

    it.each([
      ['203.0.113.9', '203.0.113.9'],
      ['203.0.113.9:4711', '203.0.113.9'],
      ['::ffff:203.0.113.9', '203.0.113.9'],
      ['::ffff:cb00:7109', '203.0.113.9'],
      ['2001:DB8:0::1', '2001:db8::1'],
      ['[2001:db8::1]:443', '2001:db8::1'],
      ['fe80::1%eth0', 'fe80::1'],
    ])('R77 known failure 70: %s is %s', async (written, address) => {
      const limiter = scriptedDecider(allowed);
      const url = await start({ limiter, trustedProxies: { hops: 1 } });
      await fetch(`${url}/items/7`, { headers: { 'x-forwarded-for': written } });
      expect(limiter.calls[0]?.attributes.ip).toBe(address);
    });

    it('states the fields that are wanted; a refusal names its wait whatever is wanted', async () => {
      const fieldsOf = async (headers: TableOptions['headers'], decision: Decision): Promise<string[]> => {
        const url = await start({ limiter: scriptedDecider(decision), headers });
        const names = [...(await fetch(`${url}/items/7`)).headers.keys()].filter((name) => /ratelimit|retry-after|cache-control/.test(name));
        await stage.close();
        return names.sort();
      };
      const legacy = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];
      const ietf = ['ratelimit', 'ratelimit-policy'];
      expect(await fieldsOf('both', allowed)).toEqual([...ietf, ...legacy]);
      expect(await fieldsOf('ietf', allowed)).toEqual(ietf);
      expect(await fieldsOf('legacy', allowed)).toEqual(legacy);
      expect(await fieldsOf('none', allowed)).toEqual([]);
      expect(await fieldsOf('ietf', refusal(1))).toEqual(['cache-control', ...ietf, 'retry-after']);
      expect(await fieldsOf('none', refusal(1))).toEqual(['cache-control', 'retry-after']);
    });

    it('warns once of a proxy that is not trusted, and of keys that are whole IPv6 addresses', async () => {
      const warnings: SkinWarning[] = [];
      const url = await start({ limiter: scriptedDecider(allowed), key: () => '2001:db8::1', onWarning: (warning) => warnings.push(warning) });
      for (let i = 0; i < 3; i += 1) await fetch(`${url}/items/7`, { headers: { 'x-forwarded-for': '9.9.9.9' } });
      expect(warnings.map(({ code }) => code)).toEqual(['SLUICE_KEY_IS_RAW_IPV6', 'SLUICE_UNTRUSTED_FORWARDED_FOR']);
    });

    it('does not start with options that no request could be served with', async () => {
      const limiter = scriptedDecider(allowed);
      const wrong: Partial<TableOptions>[] = [{ rule: 'a rule' }, { rule: '' }, { cost: 1.5 }, { cost: -1 }, { trustedProxies: { cidrs: ['0.0.0.0/0'] } }];
      for (const over of wrong) await expect(start({ limiter, ...over })).rejects.toThrow(RangeError);
    });
    skinConnections(harness);
  });
}

/** A promise of the tests' own realm, by which the skins know it. */
async function late(decision: Decision, ms: number): Promise<Decision> {
  await sleep(ms);
  return decision;
}
