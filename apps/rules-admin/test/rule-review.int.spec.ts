import { type Answer, type ControlPlane, startControlPlane } from './control-plane.js';

const QUOTA = { limit: 5, window_seconds: 1 };

let plane: ControlPlane;
beforeAll(async () => {
  plane = await startControlPlane();
  await plane.put('/v1/plans/free', { default_limit: QUOTA });
  await plane.put('/v1/plans/pro', {});
}, 60_000);
afterAll(() => plane.close());
// Each test has the rules to itself.
afterEach(async () => {
  for (const { rule_id } of (await plane.call('/v1/rules?limit=1000')).body['rules'] as { rule_id: string }[]) await plane.call(`/v1/rules/${rule_id}`, { method: 'DELETE', ifMatch: '*' });
});

const state = async (): Promise<string> => (await plane.call('/v1/rules?limit=1000')).text;

async function create(id: string, fields: object): Promise<Answer> {
  const answer = await plane.put(`/v1/rules/${id}`, { ...QUOTA, ...fields });
  expect([id, answer.status, answer.body['errors']]).toEqual([id, 201, undefined]);
  return answer;
}

function expectConflict(answer: Answer, id: string, other: string): void {
  expect(answer.status).toBe(409);
  expect(answer.headers.get('content-type')).toMatch('application/problem+json');
  expect(answer.etag).toBeNull();
  expect(answer.body).toEqual({
    type: 'urn:sluice:problem:rule-conflict',
    title: 'Rule conflict',
    status: 409,
    detail: expect.stringMatching(`^Rule ${id} matches exactly what ${other} matches, in the same policy: .* Nothing was changed\\.$`),
    conflicting_rule_id: other,
    errors: [{ pointer: '', detail: expect.stringContaining(`matches exactly what ${other} matches`) }],
    request_id: expect.any(String),
  });
}

describe('R57 choices that nodes would not carry out are refused', () => {
  it.each([
    [{ consistency: 'gossip' }, ['/consistency']],
    [{ region_mode: 'split' }, ['/region_mode']],
    [{ region_mode: 'home' }, ['/region_mode']],
    [{ shards: 2 }, ['/shards']],
    [{ consistency: 'gossip', region_mode: 'home', shards: 5, mode: 'off' }, ['/consistency', '/region_mode', '/shards']],
  ])('%j: 400 at %j, to create and to replace', async (fields, pointers) => {
    await create('there', {});
    const before = await state();
    for (const answer of [await plane.put('/v1/rules/new', { ...QUOTA, ...fields }), await plane.put('/v1/rules/there', { ...QUOTA, ...fields }, { ifMatch: '*' })]) {
      expect(answer.status).toBe(400);
      expect(answer.body['type']).toBe('urn:sluice:problem:invalid-request');
      const errors = answer.body['errors'] as { pointer: string; detail: string }[];
      expect(errors.map(({ pointer }) => pointer)).toEqual(pointers);
      for (const { detail } of errors) expect(detail).toMatch(/is not available in this version|is not split/);
    }
    expect(await state()).toBe(before);
  });

  it.each([{ consistency: 'exact' }, { consistency: 'leased' }, { consistency: 'approximate' }, { region_mode: 'regional' }, { region_mode: 'merged' }, { shards: 1 }, { shards: 2, limit: 40 }])('%j is taken', async (fields) => {
    await create('new', fields);
  });
});

describe('R57 a rule that matches exactly what another one matches is refused', () => {
  it.each([
    [{}, {}],
    [{ plan: 'free' }, { plan: 'free', ...QUOTA, limit: 9 }],
    [{ plan: 'free', endpoint: '*' }, { plan: 'free' }],
    [{ plan: 'free', endpoint: 'GET /i/{id}' }, { plan: 'free', endpoint: 'GET /i/{x}/' }],
    [{ descriptors: { a: '1', b: '*' } }, { descriptors: { b: '*', a: '1' } }],
    [{ count_by: ['ip'] }, { count_by: ['key_id'] }],
    [{ domain: 'shop', policy: 'daily' }, { domain: 'shop', policy: 'daily', algorithm: 'gcra' }],
  ])('%j, then %j: 409 that names the other, nothing changed', async (first, second) => {
    await create('first', first);
    await create('aside', { plan: 'pro', endpoint: '/aside' });
    const before = await state();
    expectConflict(await plane.put('/v1/rules/second', { ...QUOTA, ...second }), 'second', 'first');
    // By way of a rule that was harmless before, too.
    expectConflict(await plane.put('/v1/rules/aside', { ...QUOTA, ...second }, { ifMatch: '*' }), 'aside', 'first');
    expect(await state()).toBe(before);
  });

  it.each([
    [{}, { plan: 'free' }],
    [{ plan: 'free' }, { plan: 'pro' }],
    [{ plan: 'free' }, { plan: 'free', policy: 'daily' }],
    [{ plan: 'free' }, { plan: 'free', mode: 'shadow' }],
    [{ plan: 'free', mode: 'shadow' }, { plan: 'free' }],
    [{ mode: 'shadow' }, { mode: 'shadow', policy: 'default' }],
    [{ plan: 'free' }, { plan: 'free', mode: 'off' }],
    [{ plan: 'free', mode: 'off' }, { plan: 'free' }],
    [{ plan: 'free' }, { plan: 'free', endpoint: '/x' }],
    [{ plan: 'free', endpoint: 'GET /x' }, { plan: 'free', endpoint: '/x' }],
    [{ plan: 'free' }, { plan: 'free', domain: 'shop' }],
    [{ descriptors: { a: '1' } }, { descriptors: { a: '2' } }],
  ])('%j beside %j is taken', async (first, second) => {
    await create('first', first);
    expect((await create('second', second)).body).toEqual({ rule_id: 'second', version: expect.any(Number) });
  });

  it('the precondition comes first; a rule never conflicts with itself; the same again is no change', async () => {
    await create('a', { plan: 'free' });
    await create('b', { plan: 'free', endpoint: '/b' });
    const asA = { ...QUOTA, plan: 'free' };
    expect((await plane.put('/v1/rules/b', asA, { ifMatch: '"v999"' })).body['type']).toBe('urn:sluice:problem:version-mismatch');
    expect((await plane.put('/v1/rules/b', asA, {})).body['type']).toBe('urn:sluice:problem:precondition-required');
    expect((await plane.put('/v1/rules/c', asA, { ifMatch: '*' })).body['type']).toBe('urn:sluice:problem:does-not-exist');
    expect((await plane.put('/v1/rules/a', { ...asA, limit: 6 }, { ifMatch: '*' })).status).toBe(200);
    const before = await state();
    expect((await plane.put('/v1/rules/a', { ...asA, limit: 6 }, { ifMatch: '*' })).status).toBe(200);
    expect(await state()).toBe(before);
  });

  it('a rule that is off conflicts when it is switched on, and not once the other is gone', async () => {
    await create('in-force', { plan: 'free' });
    await create('waiting', { plan: 'free', mode: 'off' });
    const on = (): Promise<Answer> => plane.put('/v1/rules/waiting', { ...QUOTA, plan: 'free' }, { ifMatch: '*' });
    expectConflict(await on(), 'waiting', 'in-force');
    await plane.call('/v1/rules/in-force', { method: 'DELETE', ifMatch: '*' });
    expect((await on()).status).toBe(200);
  });

  it.each([['free'], [undefined]])('three creators of one match racing, plan %s: exactly one 201, ten times', async (plan) => {
    for (let round = 0; round < 10; round += 1) {
      const body = { ...QUOTA, ...(plan === undefined ? {} : { plan }), endpoint: `/raced/${round}` };
      const before = (JSON.parse(await state()) as { version: number }).version;
      const answers = await Promise.all(['x', 'y', 'z'].map((id) => plane.put(`/v1/rules/${id}-${round}`, body)));
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
      const winner = answers.find(({ status }) => status === 201)?.body['rule_id'];
      for (const { status, body: { conflicting_rule_id } } of answers) if (status === 409) expect(conflicting_rule_id).toBe(winner);
      expect((JSON.parse(await state()) as { version: number }).version).toBe(before + 1);
    }
  });

  it('two rules moved to one match at once: one 200, one 409', async () => {
    await create('p', { endpoint: '/p' });
    await create('q', { endpoint: '/q' });
    const answers = await Promise.all(['p', 'q'].map((id) => plane.put(`/v1/rules/${id}`, { ...QUOTA, endpoint: '/meeting' }, { ifMatch: '*' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });
});

describe('R57 rules that can never apply are warned of', () => {
  const hidden = { plan: 'free', count_by: ['user_id'] };
  const hiding = { ...hidden, descriptors: { user_id: '*' } };
  const warning = (rule_id: string, shadowed_by: string): object => ({ rule_id, shadowed_by, detail: `can never apply: ${shadowed_by} is more specific and applies whenever it would` });

  it('the rule that is written', async () => {
    await create('wide', hiding);
    await create('wider', { ...hiding, descriptors: { user_id: '*', region: '*' } });
    const answer = await create('per-user', hidden);
    expect(answer.body).toEqual({ rule_id: 'per-user', version: 1, warnings: [warning('per-user', 'wide')] });
    const again = await plane.put('/v1/rules/per-user', { ...QUOTA, ...hidden, limit: 6 }, { ifMatch: '*' });
    expect([again.status, again.body]).toEqual([200, { rule_id: 'per-user', version: 2, warnings: [warning('per-user', 'wide')] }]);
  });

  it('names the rule that applies instead, of several the most specific', async () => {
    const both = { plan: 'free', count_by: ['user_id', 'region'] };
    await create('one', { ...both, descriptors: { user_id: '*' } });
    await create('two', { ...both, descriptors: { user_id: '*', region: '*' } });
    expect((await create('none', both)).body['warnings']).toEqual([warning('none', 'two')]);
  });

  it('the rules that it newly hides, once', async () => {
    await create('per-user', hidden);
    await create('per-user-in-shop', { ...hidden, domain: 'shop' });
    await create('elsewhere', { ...hidden, plan: 'pro' });
    await create('per-key', { plan: 'free', domain: 'edge' });
    const created = await create('user', hiding);
    expect(created.body).toEqual({ rule_id: 'user', version: expect.any(Number), warnings: [warning('per-user', 'user'), warning('per-user-in-shop', 'user')] });
    const edited = await plane.put('/v1/rules/user', { ...QUOTA, ...hiding, limit: 6 }, { ifMatch: '*' });
    expect([edited.status, Object.keys(edited.body)]).toEqual([200, ['rule_id', 'version']]);
    const off = await plane.put('/v1/rules/user', { ...QUOTA, ...hiding, mode: 'off' }, { ifMatch: '*' });
    expect(Object.keys(off.body)).toEqual(['rule_id', 'version']);
    expect((await plane.put('/v1/rules/user', { ...QUOTA, ...hiding }, { ifMatch: '*' })).body['warnings']).toHaveLength(2);
  });

  it.each([{ mode: 'shadow' }, { policy: 'daily' }, { plan: 'pro' }])('not of one that competes elsewhere: %j', async (fields) => {
    await create('per-user', hidden);
    expect(Object.keys((await create('user', { ...hiding, ...fields })).body)).toEqual(['rule_id', 'version']);
  });

  it('R58 of a rule in shadow that could never decide anything if it were enforced', async () => {
    await create('user', hiding);
    expect((await create('per-user', { ...hidden, mode: 'shadow' })).body['warnings']).toMatchObject([{ rule_id: 'per-user', shadowed_by: 'user' }]);
  });

  it('not of the default limit of a plan, which a rule for the plan is meant to hide', async () => {
    expect((await create('free-default', { plan: 'free', endpoint: '*' })).body).toEqual({ rule_id: 'free-default', version: 1 });
  });
});
