import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { jest } from '@jest/globals';
import { until } from '../support/until.js';
import { can, CANNOT, type CheckName, CHECKS } from './cannot.js';
import { RULES, snapshotOf } from './rules.js';
import { type Stage, startStage } from './stage.js';
import { type Answer, type Surface, type SurfaceName, SURFACES } from './surface.js';
import { remainingOf } from './surfaces/http-answer.js';

jest.setTimeout(60_000);

const FIELDS = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'ratelimit-policy', 'ratelimit'];

let stage: Stage;
beforeAll(async () => (stage = await startStage(RULES)));
afterAll(() => stage.close());

const newKey = (): string => `k-${randomBytes(6).toString('hex')}`;

/** Permits left of one policy by the shared counter, whatever the surface says. */
async function left(path: string, key: string, policy?: string): Promise<number> {
  const { policies, shadow } = await stage.witness.peek({ domain: 'api', endpoint: `GET ${path}`, key_id: key });
  const all = [...policies, ...shadow];
  return (policy === undefined ? all[0] : all.find((each) => each.policy === policy))?.remaining ?? Number.NaN;
}

async function inTurn(surface: Surface, path: string, key: string, times: number): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  for (let at = 0; at < times; at += 1) answers.push(await surface.ask({ key, path }));
  return answers;
}

const verdicts = (answers: readonly Answer[]): readonly boolean[] => answers.map(({ allowed }) => allowed);
const times = (count: number, value: boolean): readonly boolean[] => Array.from({ length: count }, () => value);

describe.each(SURFACES)('conformance: %s', (name: SurfaceName) => {
  const check = (which: CheckName, title: string, story: (surface: Surface, key: string) => Promise<void>): void => {
    if (can(name, which)) it(`${which}: ${title}`, () => story(stage.surface(name), newKey()));
  };

  check('fields', 'R70 the same on what passes and on a refusal, which adds Retry-After and no-store', async (surface, key) => {
    const answers = await inTurn(surface, '/hour', key, 4);
    expect(verdicts(answers)).toEqual([true, true, true, false]);
    expect(answers.map(remainingOf)).toEqual([2, 1, 0, 0]);
    for (const { allowed, fields } of answers) {
      expect(FIELDS.filter((field) => fields[field] === undefined)).toEqual([]);
      expect(fields).toMatchObject({ 'x-ratelimit-limit': '3', 'ratelimit-policy': '"hour";q=3;w=3600', ratelimit: expect.stringMatching(/^"hour";r=\d;t=\d+$/) });
      const ahead = Number(fields['x-ratelimit-reset']) - Date.now() / 1000;
      expect(ahead).toBeGreaterThan(3_500);
      expect(ahead).toBeLessThan(3_602);
      expect(fields['retry-after'] !== undefined).toBe(!allowed);
    }
    expect(answers[3]?.fields['retry-after']).toMatch(/^[1-9]\d*$/);
    expect(answers[3]?.fields['cache-control']).toBe('no-store');
    expect(answers[3]?.violated).toEqual(['hour']);
  });

  check('status 429', 'a refusal', async (surface, key) => {
    const answers = await inTurn(surface, '/hour', key, 4);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
  });

  check('problem document', 'R70 names the policies that refuse, and the wait', async (surface, key) => {
    const refused = (await inTurn(surface, '/hour', key, 4))[3];
    expect(refused?.fields['content-type']).toMatch(/^application\/problem\+json/);
    expect(refused?.body).toMatchObject({
      type: 'https://iana.org/assignments/http-problem-types#quota-exceeded',
      title: 'Too Many Requests',
      status: 429,
      'violated-policies': ['hour'],
      reason: 'quota',
      retry_after_seconds: Number(refused?.fields['retry-after']),
    });
  });

  check('Retry-After', 'known failure 35: who waits exactly that long is served', async (surface, key) => {
    let answer = await surface.ask({ key, path: '/second' });
    for (let at = 0; at < 20 && answer.allowed; at += 1) answer = await surface.ask({ key, path: '/second' });
    expect(answer.allowed).toBe(false);
    const seconds = Number(answer.fields['retry-after']);
    expect(Number.isInteger(seconds) && seconds >= 1).toBe(true);
    await sleep(seconds * 1_000);
    expect((await surface.ask({ key, path: '/second' })).allowed).toBe(true);
  });

  check('refund', 'R9 what is given back is there again, and never more than the limit', async (surface, key) => {
    for (let at = 0; at < 5; at += 1) {
      expect(remainingOf(await surface.askAndGiveBack({ key }))).toBe(2);
      await until(async () => (await left('/fails', key)) === 3, 5_000);
    }
  });

  check('peek', 'R9 known failure 13: says what is left and counts nothing', async (surface, key) => {
    expect(await surface.peek({ key, path: '/hour' })).toBe(3);
    await inTurn(surface, '/hour', key, 2);
    for (let at = 0; at < 5; at += 1) expect(await surface.peek({ key, path: '/hour' })).toBe(1);
    expect(await left('/hour', key)).toBe(1);
    await inTurn(surface, '/hour', key, 2);
    expect(await surface.peek({ key, path: '/hour' })).toBe(0);
  });

  check('cost before the request', 'R7 known failures 2 and 4: what does not fit charges nothing, and what never fits has no wait', async (surface, key) => {
    const ask = (cost: number): Promise<Answer> => surface.ask({ key, path: '/cost', cost });
    expect(remainingOf(await ask(8))).toBe(2);
    const refused = await ask(5);
    expect([refused.allowed, await left('/cost', key)]).toEqual([false, 2]);
    expect(Number(refused.fields['retry-after'])).toBeGreaterThan(0);
    const never = await ask(11);
    expect([never.allowed, never.body['reason'], never.fields['retry-after']]).toEqual([false, 'cost_exceeds_limit', undefined]);
    expect(verdicts([await ask(1), await ask(1), await ask(1)])).toEqual([true, true, false]);
  });

  check('shadow', 'R58 never changes an answer, and is counted', async (surface, key) => {
    const answers = await inTurn(surface, '/shadow', key, 5);
    expect(verdicts(answers)).toEqual(times(5, true));
    for (const { fields } of answers) expect(fields['ratelimit-policy']).toBe('"wide";q=100;w=3600');
    await until(async () => (await left('/shadow', key, 'shadow')) === 0, 5_000);
    expect(await left('/shadow', key, 'wide')).toBe(95);
  });

  check('several limits', 'R8 known failure 8: 10 a second and 1,000 a day; one that refuses charges neither', async (surface, key) => {
    let admitted = 0;
    let refused: readonly Answer[] = [];
    for (let at = 0; at < 20 && refused.length === 0; at += 1) {
      const answers = await Promise.all(Array.from({ length: 15 }, () => surface.ask({ key, path: '/both' })));
      admitted += answers.filter(({ allowed }) => allowed).length;
      refused = answers.filter(({ allowed }) => !allowed);
    }
    expect(refused[0]?.violated).toEqual(['second']);
    expect(await left('/both', key, 'day')).toBe(1_000 - admitted);
    const few = await inTurn(surface, '/few', key, 9);
    expect(verdicts(few)).toEqual([...times(4, true), ...times(5, false)]);
    expect([await left('/few', key, 'hour'), await left('/few', key, 'day')]).toEqual([6, 0]);
    expect(few[8]?.violated).toEqual(['day']);
    expect(Number(few[8]?.fields['retry-after'])).toBeGreaterThan(80_000);
  });

  check('counted once', 'each request is one permit, leased or not', async (surface, key) => {
    expect(verdicts(await inTurn(surface, '/leased', key, 8))).toEqual([...times(6, true), ...times(2, false)]);
    await inTurn(surface, '/cost', key, 4);
    await until(async () => (await left('/cost', key)) === 6, 5_000);
  });
});

describe('conformance: costs that are known late', () => {
  it('cost after the request: R14 HTTP check and forward-auth settle a reservation by its id', async () => {
    for (const name of ['HTTP check', 'forward-auth'] as const) {
      const key = newKey();
      const { fields, body } = name === 'HTTP check' ? await reserveByCheck(key) : await reserveByForwardAuth(key);
      const id = body['decision_id'] ?? fields['sluice-decision-id'];
      expect(await left('/cost', key)).toBe(8);
      const settled = await fetch(`${stage.decisionUrl}/v1/ratelimit:settle`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ decision_id: id, cost: 7 }) });
      expect([settled.status, await settled.json()]).toEqual([200, expect.objectContaining({ status: 'settled' })]);
      await until(async () => (await left('/cost', key)) === 3, 5_000);
    }
  });

  it('cost after the request: R14 the gateway settles what its upstream names', async () => {
    const key = newKey();
    expect((await stage.surface('gateway, costs named by the upstream').ask({ key, path: '/cost', cost: 8 })).allowed).toBe(true);
    await until(async () => (await left('/cost', key)) === 2, 5_000);
  });

  async function reserveByCheck(key: string): Promise<Pick<Answer, 'fields' | 'body'>> {
    const descriptors = [{ key: 'endpoint', value: 'GET /cost' }, { key: 'key_id', value: key }];
    const response = await fetch(`${stage.decisionUrl}/v1/ratelimit:check`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ domain: 'api', descriptors, cost: 2, reserve: true }) });
    return { fields: {}, body: (await response.json()) as Record<string, unknown> };
  }
  async function reserveByForwardAuth(key: string): Promise<Pick<Answer, 'fields' | 'body'>> {
    stage.plane.keys.set(key, { key_id: key, tenant_id: 'tenant', plan: 'free', disabled: false });
    const response = await fetch(`${stage.decisionUrl}/v1/authorize?reserve=true&cost=2`, { headers: { 'X-Api-Key': key, 'X-Original-URI': '/cost', 'X-Original-Method': 'GET' } });
    return { fields: Object.fromEntries(response.headers), body: {} };
  }
});

describe('conformance: all surfaces together', () => {
  const all = (): readonly Surface[] => SURFACES.map((name) => stage.surface(name));

  it('shared counter: R5 known failure 58: all of them admit exactly what one would', async () => {
    const key = newKey();
    const answers = await Promise.all(all().flatMap((surface) => Array.from({ length: 5 }, () => surface.ask({ key, path: '/shared' }))));
    expect(answers.filter(({ allowed }) => allowed)).toHaveLength(24);
    const after = await Promise.all(all().map((surface) => surface.ask({ key, path: '/shared' })));
    expect(verdicts(after)).toEqual(times(SURFACES.length, false));
  });

  it('shared counter: R5 leases of all of them never admit more than the limit, and few are idle', async () => {
    const key = newKey();
    const answers: Answer[] = [];
    for (let round = 0; round < 8; round += 1) answers.push(...(await Promise.all(all().map((surface) => surface.ask({ key, path: '/lent' })))));
    const admitted = answers.filter(({ allowed }) => allowed).length;
    expect(admitted).toBeLessThanOrEqual(60);
    expect(admitted).toBeGreaterThan(40);
  });

  it('rule changed: R51 known failures 10 and 49: what is raised from 3 to 5 while they run gives exactly 2 more', async () => {
    const keys = SURFACES.map(newKey);
    const more = async (surface: Surface, key: string): Promise<number> => (await inTurn(surface, '/changed', key, 8)).filter(({ allowed }) => allowed).length;
    const perSurface = (ask: (surface: Surface, key: string) => Promise<number>): Promise<readonly number[]> => Promise.all(all().map((surface, at) => ask(surface, keys[at] ?? '')));
    expect(await perSurface(more)).toEqual(SURFACES.map(() => 3));
    stage.plane.snapshot = snapshotOf(2, RULES.map((rule) => (rule.rule_id === 'changed' ? { ...rule, version: 2, limit: 5 } : rule)));
    await perSurface(async (surface, key) => {
      let admitted = 0;
      await until(async () => {
        admitted += Number((await surface.ask({ key, path: '/changed' })).allowed);
        return admitted > 0;
      }, 10_000);
      return admitted;
    });
    expect(await perSurface(more)).toEqual(SURFACES.map(() => 1));
  });
});

describe('conformance: what is left out', () => {
  it('is this, for what a surface is, and nothing else', () => {
    expect(CANNOT.map(({ surface, check }) => `${surface}: ${check}`).sort()).toEqual([
      'Express, asking the decision service: cost after the request',
      'Express: cost after the request',
      'Fastify: cost after the request',
      'HTTP check: client address',
      'HTTP check: problem document',
      'HTTP check: status 429',
      'HTTP check: status 503',
      'Nest on Express: cost after the request',
      'Nest on Fastify: cost after the request',
      'RLS: client address',
      'RLS: cost after the request',
      'RLS: identity fields',
      'RLS: status 503',
      'gateway, costs named by the upstream: cost before the request',
      'gateway: cost after the request',
      'gateway: cost before the request',
    ]);
    expect(CANNOT.filter(({ check, why }) => !CHECKS.includes(check) || why === '')).toEqual([]);
  });
});
