import { compileSnapshot, validateSnapshot } from '@sluice/rules';
import { type ControlPlane, startControlPlane } from './control-plane.js';

const RULE = { plan: 'free', limit: 20, window_seconds: 1 };

let plane: ControlPlane;
beforeAll(async () => {
  plane = await startControlPlane();
  await plane.put('/v1/plans/free', { name: 'Free' });
  await plane.put('/v1/plans/trial', { name: 'Trial' });
}, 60_000);
afterAll(() => plane.close());

let next = 0;
async function newRule(fields: object = {}): Promise<{ readonly id: string; readonly path: string; readonly rule: typeof RULE & { readonly endpoint: string } }> {
  next += 1;
  const id = `staged-${next}`;
  const rule = { ...RULE, endpoint: `/staged-${next}`, ...fields };
  expect((await plane.put(`/v1/rules/${id}`, rule)).status).toBe(201);
  return { id, path: `/v1/rules/${id}`, rule };
}

const promote = (path: string, ifMatch?: string): ReturnType<ControlPlane['call']> => plane.call(`${path}:promote`, { method: 'POST', ...(ifMatch === undefined ? {} : { ifMatch }) });
const version = async (): Promise<number> => Number((await plane.call('/v1/rules?limit=1')).body['version']);

async function published(id: string): Promise<unknown> {
  const { body } = await plane.call('/v1/snapshot');
  expect(validateSnapshot(body)).toMatchObject({ ok: true });
  return (body['rules'] as { rule_id: string }[]).find(({ rule_id }) => rule_id === id);
}

describe('R58 R51 a proposed version beside the one in force', () => {
  it('is put under preconditions, shown with its tag, and published in shadow', async () => {
    const { id, path, rule } = await newRule();
    const made = await plane.put(`${path}/proposal`, { ...rule, limit: 10 });
    expect([made.status, made.etag, made.headers.get('location'), made.body]).toEqual([201, '"v1"', `${path}/proposal`, { rule_id: id, version: 1, base_version: 1 }]);
    expect((await plane.put(`${path}/proposal`, { ...rule, limit: 9 })).body['type']).toBe('urn:sluice:problem:already-exists');
    expect((await plane.put(`${path}/proposal`, { ...rule, limit: 9 }, { ifMatch: '"v4"' })).status).toBe(412);
    expect((await plane.put(`${path}/proposal`, { ...rule, limit: 9 }, { ifMatch: '"v1"' })).body).toEqual({ rule_id: id, version: 2, base_version: 1 });
    const shown = await plane.call(`${path}/proposal`);
    expect([shown.status, shown.etag, shown.body]).toEqual([200, '"v2"', { rule_id: id, version: 2, base_version: 1, ...rule, limit: 9 }]);
    expect((await plane.call(`${path}/proposal`, { ifNoneMatch: '"v2"' })).status).toBe(304);
    expect(await published(`proposed:${id}`)).toEqual({ rule_id: `proposed:${id}`, version: 2, mode: 'shadow', ...rule, limit: 9 });
    expect(await published(id)).toMatchObject({ limit: 20 });
    expect(await plane.call(path)).toMatchObject({ etag: '"v1"', body: { limit: 20 } });
  });

  it('is in force once it is promoted, in one version, and gone', async () => {
    const { id, path, rule } = await newRule();
    await plane.put(`${path}/proposal`, { ...rule, limit: 10 });
    const before = await version();
    expect((await promote(`${path}/proposal`)).body['type']).toBe('urn:sluice:problem:precondition-required');
    expect((await promote(`${path}/proposal`, '"v2"')).body).toMatchObject({ type: 'urn:sluice:problem:version-mismatch', current_version: 1 });
    const promoted = await promote(`${path}/proposal`, '"v1"');
    expect([promoted.status, promoted.etag, promoted.body]).toEqual([200, '"v2"', { rule_id: id, version: 2 }]);
    expect(await version()).toBe(before + 1);
    expect((await plane.call(path)).body).toMatchObject({ limit: 10, version: 2 });
    expect((await plane.call(`${path}/proposal`)).status).toBe(404);
    expect(await published(`proposed:${id}`)).toBeUndefined();
    expect((await promote(`${path}/proposal`, '"v1"')).status).toBe(404);
    // Its versions go on, so that counts and tags of before are not taken for those of the next one.
    expect((await plane.put(`${path}/proposal`, { ...rule, limit: 5 })).body).toMatchObject({ version: 2, base_version: 2 });
    const { body } = await plane.call(`/v1/audit?kind=rule&id=${id}`);
    expect(JSON.stringify(body)).toContain('promoted version 1 of its proposal');
  });

  it('is not promoted over a change that it was not made for; put again it is', async () => {
    const { path, rule } = await newRule();
    await plane.put(`${path}/proposal`, { ...rule, limit: 10 });
    await plane.put(path, { ...rule, limit: 30 }, { ifMatch: '"v1"' });
    const refused = await promote(`${path}/proposal`, '"v1"');
    expect([refused.status, refused.body]).toMatchObject([409, { type: 'urn:sluice:problem:rule-changed', base_version: 1, current_version: 2 }]);
    expect((await plane.call(path)).body).toMatchObject({ limit: 30 });
    expect((await plane.put(`${path}/proposal`, { ...rule, limit: 10 }, { ifMatch: '"v1"' })).body).toMatchObject({ version: 2, base_version: 2 });
    expect((await promote(`${path}/proposal`, '"v2"')).status).toBe(200);
  });

  it('known failure 54: the same again changes nothing', async () => {
    const { path, rule } = await newRule();
    await plane.put(`${path}/proposal`, { ...rule, limit: 10 });
    const before = await version();
    expect((await plane.put(`${path}/proposal`, { ...rule, limit: 10, mode: 'enforce' }, { ifMatch: '"v1"' })).body).toMatchObject({ version: 1 });
    expect(await version()).toBe(before);
  });

  it('is discarded under a precondition, and the rule stays', async () => {
    const { id, path, rule } = await newRule();
    await plane.put(`${path}/proposal`, { ...rule, limit: 10 });
    expect((await plane.call(`${path}/proposal`, { method: 'DELETE' })).status).toBe(412);
    expect((await plane.call(`${path}/proposal`, { method: 'DELETE', ifMatch: '"v1"' })).status).toBe(204);
    expect((await plane.call(`${path}/proposal`, { method: 'DELETE', ifMatch: '"v1"' })).status).toBe(404);
    expect(await published(`proposed:${id}`)).toBeUndefined();
    expect((await plane.call(path)).body).toMatchObject({ version: 1, limit: 20 });
  });

  it('goes with its rule, in the same version, and nodes hear of both', async () => {
    const { id, path, rule } = await newRule();
    await plane.put(`${path}/proposal`, { ...rule, limit: 10 });
    const before = await version();
    expect((await plane.call(path, { method: 'DELETE', ifMatch: '"v1"' })).status).toBe(204);
    expect(await version()).toBe(before + 1);
    const { body } = await plane.call(`/v1/snapshot?since=${before}`);
    expect(body).toMatchObject({ deleted_rules: expect.arrayContaining([id, `proposed:${id}`]) });
  });

  it('R60 was in force in shadow when it was, for who asks later', async () => {
    const { id, path, rule } = await newRule();
    await plane.put(`${path}/proposal`, { ...rule, limit: 10 });
    const at = new Date(Date.now() + 5).toISOString();
    await new Promise((resolve) => setTimeout(resolve, 30));
    const now = await plane.call('/v1/snapshot');
    await plane.call(`${path}/proposal`, { method: 'DELETE', ifMatch: '"v1"' });
    const then = await plane.call(`/v1/snapshot?at=${at}`);
    expect(then.body['rules']).toEqual(now.body['rules']);
    expect(then.headers.get('sluice-checksum')).toBe(now.headers.get('sluice-checksum'));
    expect(JSON.stringify(then.body)).toContain(`proposed:${id}`);
  });

  it('stays in the snapshot that nodes compile, with overrides of its rule', async () => {
    const { id, path, rule } = await newRule();
    await plane.put(`${path}/proposal`, { ...rule, limit: 10 });
    const checked = validateSnapshot((await plane.call('/v1/snapshot')).body);
    if (!checked.ok) throw new Error('refused');
    const applied = compileSnapshot(checked.value).match({ plan: 'free', endpoint: `GET ${rule.endpoint}`, key_id: 'k' }, Date.now());
    expect(applied.map(({ rule: { ruleId, mode }, quota: { limit } }) => [ruleId, mode, limit])).toEqual([[id, 'enforce', 20], [`proposed:${id}`, 'shadow', 10]]);
  });
});

describe('R57 R58 a proposal is checked as a write of its rule is', () => {
  it.each<[string, object, readonly string[]]>([
    ['a limit of 0', { limit: 0 }, ['/limit']],
    ['an unknown plan', { plan: 'nobody' }, ['/plan']],
    ['what nodes would not carry out', { consistency: 'gossip' }, ['/consistency']],
    ['what is not to be enforced', { mode: 'shadow' }, ['/mode']],
    ['an unknown field', { limitt: 1 }, ['/limitt']],
    ['all of it at once', { limitt: 1, limit: 0, mode: 'off', plan: 'nobody' }, ['/limitt', '/limit', '/mode', '/plan']],
  ])('%s: 400', async (_name, wrong, pointers) => {
    const { path, rule } = await newRule();
    const answer = await plane.put(`${path}/proposal`, { ...rule, ...wrong });
    expect(answer.status).toBe(400);
    expect((answer.body['errors'] as { pointer: string }[]).map(({ pointer }) => pointer)).toEqual(pointers);
  });

  it('what another rule matches exactly is a 409, also when that one came after the proposal', async () => {
    const [a, b] = [await newRule(), await newRule()];
    const conflicting = { ...a.rule, endpoint: b.rule.endpoint };
    expect((await plane.put(`${a.path}/proposal`, conflicting)).body).toMatchObject({ type: 'urn:sluice:problem:rule-conflict', conflicting_rule_id: b.id });
    await plane.put(`${a.path}/proposal`, { ...a.rule, endpoint: '/to-be-taken' });
    await plane.put('/v1/rules/taker', { ...RULE, endpoint: '/to-be-taken' });
    expect((await promote(`${a.path}/proposal`, '"v1"')).body).toMatchObject({ type: 'urn:sluice:problem:rule-conflict', conflicting_rule_id: 'taker' });
    expect((await plane.call(`${a.path}/proposal`)).status).toBe(200);
  });

  it('what a live override of the rule would not fit is a 409', async () => {
    const { id, path, rule } = await newRule({ algorithm: 'token_bucket', burst: 40 });
    await plane.put('/v1/tenants/acme', { name: 'Acme', plan_id: 'free' });
    await plane.call('/v1/keys', { method: 'POST', json: { tenant_id: 'acme', name: 'K', key_id: 'acme-key' } });
    const expires_at = new Date(Date.now() + 600_000).toISOString();
    const made = await plane.call('/v1/overrides', { method: 'POST', json: { key_id: 'acme-key', rule_id: id, limit: 50, burst: 90, expires_at }, headers: { 'idempotency-key': 'burst-of-acme' } });
    expect(made.status).toBe(201);
    expect((await plane.put(`${path}/proposal`, { ...RULE, endpoint: rule.endpoint, algorithm: 'sliding_counter' })).body).toMatchObject({ type: 'urn:sluice:problem:in-use', detail: expect.stringContaining(String(made.body['override_id'])) });
    expect((await plane.put(`${path}/proposal`, { ...rule, limit: 10 })).status).toBe(201);
    expect((await plane.call(`/v1/overrides/${String(made.body['override_id'])}`, { method: 'DELETE', ifMatch: '*' })).status).toBe(204);
  });

  it('without the rule there is nothing to propose, and its reserved id cannot be created', async () => {
    expect((await plane.put('/v1/rules/nowhere/proposal', RULE)).status).toBe(404);
    expect((await plane.call('/v1/rules/nowhere/proposal')).status).toBe(404);
    expect((await plane.put('/v1/rules/proposed:staged-1', RULE)).status).toBe(400);
  });

  it('a plan stays while a proposal names it', async () => {
    const { path, rule } = await newRule();
    await plane.put(`${path}/proposal`, { ...rule, plan: 'trial' });
    expect(await plane.call('/v1/plans/trial', { method: 'DELETE', ifMatch: '*' })).toMatchObject({ status: 409, body: { type: 'urn:sluice:problem:in-use' } });
  });
});

describe('R58 a rule in shadow', () => {
  it('is enforced once it is promoted', async () => {
    const { id, path, rule } = await newRule({ mode: 'shadow' });
    expect((await promote(path)).status).toBe(412);
    expect((await promote(path, '"v2"')).status).toBe(412);
    const promoted = await promote(path, '"v1"');
    expect([promoted.status, promoted.etag, promoted.body]).toEqual([200, '"v2"', { rule_id: id, version: 2 }]);
    const { mode: _mode, ...enforced } = { ...rule, mode: undefined };
    expect((await plane.call(path)).body).toEqual({ rule_id: id, version: 2, ...enforced });
    expect(await promote(path, '"v2"')).toMatchObject({ status: 409, body: { type: 'urn:sluice:problem:not-in-shadow' } });
    expect((await promote('/v1/rules/nowhere', '"v1"')).status).toBe(404);
  });

  it('is not enforced beside one that matches exactly the same', async () => {
    const { rule } = await newRule();
    await plane.put('/v1/rules/same-in-shadow', { ...rule, mode: 'shadow' });
    expect(await promote('/v1/rules/same-in-shadow', '"v1"')).toMatchObject({ status: 409, body: { type: 'urn:sluice:problem:rule-conflict' } });
  });
});

describe('R51 editors who stage at once', () => {
  it('of two promotions, a discard and an edit of the proposal exactly one goes through', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { path, rule } = await newRule();
      await plane.put(`${path}/proposal`, { ...rule, limit: 10 });
      const answers = await Promise.all([
        promote(`${path}/proposal`, '"v1"'),
        promote(`${path}/proposal`, '"v1"'),
        plane.call(`${path}/proposal`, { method: 'DELETE', ifMatch: '"v1"' }),
        plane.put(`${path}/proposal`, { ...rule, limit: 11 }, { ifMatch: '"v1"' }),
      ]);
      expect(answers.filter(({ status }) => status < 300)).toHaveLength(1);
      expect(answers.filter(({ status }) => status >= 300 && ![404, 412].includes(status))).toEqual([]);
    }
  }, 30_000);

  it('of a promotion and an edit of the rule one goes through', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { path, rule } = await newRule();
      await plane.put(`${path}/proposal`, { ...rule, limit: 10 });
      const answers = await Promise.all([promote(`${path}/proposal`, '"v1"'), plane.put(path, { ...rule, limit: 30 }, { ifMatch: '"v1"' })]);
      expect(answers.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(1);
      expect((await plane.call(path)).body['version']).toBe(2);
    }
  }, 30_000);
});

describe('R58 a set of rules', () => {
  it('takes the proposals of the rules that it leaves out with it', async () => {
    const [going, staying] = [await newRule(), await newRule()];
    for (const { path, rule } of [going, staying]) await plane.put(`${path}/proposal`, { ...rule, limit: 10 });
    const applied = await plane.call('/v1/rules:apply', { method: 'POST', json: { base_version: await version(), rules: [{ rule_id: staying.id, ...staying.rule }] } });
    expect(applied.status).toBe(200);
    expect((await plane.call(`${going.path}/proposal`)).status).toBe(404);
    expect((await plane.call(`${staying.path}/proposal`)).status).toBe(200);
    const { body } = await plane.call('/v1/snapshot');
    expect((body['rules'] as { rule_id: string }[]).map(({ rule_id }) => rule_id).sort()).toEqual([`proposed:${staying.id}`, staying.id].sort());
  });
});
