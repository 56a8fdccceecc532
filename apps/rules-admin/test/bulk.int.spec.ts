import { applyDelta, type Rule, snapshotChecksum, validateDelta, validateSnapshot } from '@sluice/rules';
import fc from 'fast-check';
import { type Answer, type ControlPlane, startControlPlane } from './control-plane.js';

let plane: ControlPlane;

async function start(): Promise<void> {
  plane = await startControlPlane();
  await plane.put('/v1/plans/free', {});
  await plane.put('/v1/plans/pro', {});
  await plane.put('/v1/rules/a', rule('a'));
  await plane.put('/v1/rules/b', rule('b'));
}

function rule(id: string, fields: object = {}): object {
  return { plan: 'free', endpoint: `/${id}`, limit: 5, window_seconds: 1, ...fields };
}

const ofSet = (id: string, fields: object = {}): object => ({ rule_id: id, ...rule(id, fields) });

const apply = (json: object, headers = {}): Promise<Answer> => plane.call('/v1/rules:apply', { method: 'POST', json, headers });

async function version(): Promise<number> {
  return (await plane.call('/v1/rules?limit=1')).body['version'] as number;
}

async function stored(): Promise<Record<string, unknown>[]> {
  return (await plane.call('/v1/rules?limit=1000')).body['rules'] as Record<string, unknown>[];
}

const everything = async (): Promise<string> => (await plane.call('/v1/snapshot')).text + (await plane.call('/v1/audit?limit=1000')).text;

describe('R51, R57 POST /v1/rules:apply refuses', () => {
  beforeAll(start, 60_000);
  afterAll(() => plane.close());

  it.each([
    ['a fault in a rule', [ofSet('a'), ofSet('x', { limit: 0 })], ['/rules/1/limit']],
    ['a fault in each', [ofSet('a', { windows: 1 }), { rule_id: 'x' }], ['/rules/0/windows', '/rules/1/limit', '/rules/1/window_seconds']],
    ['a version that is none', [{ ...ofSet('a'), version: 0 }], ['/rules/0/version']],
    ['faults of each kind, none hidden', [ofSet('a', { plan: 'gold', limit: 0 }), ofSet('b', { plan: 'gold' }), ofSet('c'), ofSet('d', { endpoint: '/c' })], ['/rules/0/limit', '/rules/3', '/rules/0/plan', '/rules/1/plan']],
    ['an id twice', [ofSet('a'), ofSet('b'), ofSet('a', { endpoint: '/z' })], ['/rules/2/rule_id']],
    ['no id', [rule('a')], ['/rules/0/rule_id']],
    ['a reserved id', [{ ...rule('a'), rule_id: 'plan:free' }], ['/rules/0/rule_id']],
    ['a choice that nodes would not carry out', [ofSet('a', { consistency: 'gossip' })], ['/rules/0/consistency']],
    ['an unknown plan', [ofSet('a'), ofSet('b', { plan: 'gold' })], ['/rules/1/plan']],
    ['two that match the same', [ofSet('x', { plan: 'pro' }), ofSet('a'), ofSet('b', { endpoint: '/a' })], ['/rules/2']],
    ['no objects', ['a'], ['/rules']],
    ['a list in the list', [[]], ['/rules']],
  ])('%s is a 400 with pointers, dry or not, and nothing is changed', async (_what, rules, pointers) => {
    const before = await everything();
    for (const dry_run of [true, false]) {
      const answer = await apply({ base_version: await version(), dry_run, rules });
      expect([answer.status, (answer.body['errors'] as { pointer: string }[]).map(({ pointer }) => pointer)]).toEqual([400, pointers]);
    }
    expect(await everything()).toBe(before);
  });

  it.each([[{ rules: [] }], [{ base_version: 1 }], [{ base_version: '1', rules: [] }], [{ base_version: -1, rules: [] }], [{ base_version: 1, rules: {} }], [{ base_version: 1, rules: [], overrides: [] }], [{ base_version: 1, rules: [], dry_run: 'yes' }]])('%j is a 400', async (body) => {
    expect((await apply(body)).status).toBe(400);
  });
});

describe('R51, R57 POST /v1/rules:apply', () => {
  beforeEach(start, 60_000);
  afterEach(() => plane.close());

  it('creates, updates and deletes in one version, and leaves alone what is the same', async () => {
    const base = await version();
    await plane.put('/v1/rules/c', rule('c'));
    const answer = await apply({ base_version: base + 1, rules: [ofSet('a'), ofSet('b', { limit: 9, mode: 'shadow' }), ofSet('new', { plan: 'pro' })] });
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        dry_run: false,
        version: base + 2,
        created: [{ rule_id: 'new', version: 1 }],
        updated: [{ rule_id: 'b', version: 2, changes: [{ field: 'limit', before: 5, after: 9 }, { field: 'mode', before: 'enforce', after: 'shadow' }] }],
        deleted: [{ rule_id: 'c', version: 1 }],
        unchanged: 1,
        warnings: [],
      },
    ]);
    expect(await stored()).toEqual([
      { ...ofSet('a'), version: 1 },
      { ...ofSet('b', { limit: 9, mode: 'shadow' }), version: 2 },
      { ...ofSet('new', { plan: 'pro' }), version: 1 },
    ]);
    const log = (await plane.call('/v1/audit?limit=3')).body['entries'] as object[];
    expect(log).toEqual([expect.objectContaining({ id: 'new', action: 'created', before: null }), expect.objectContaining({ id: 'b', action: 'updated', from_version: 1, to_version: 2 }), expect.objectContaining({ id: 'c', action: 'deleted', after: null })]);
    for (const entry of log) expect(entry).toMatchObject({ version: base + 2, note: 'applied as a set', actor: 'token:environment' });
    // Deletions reach nodes that were away, and the next one of this id goes on from there.
    expect((await plane.call(`/v1/snapshot?since=${base + 1}`)).body).toMatchObject({ deleted_rules: ['c'] });
    const again = await apply({ base_version: base + 2, rules: [ofSet('c')] });
    expect(again.body).toMatchObject({ created: [{ rule_id: 'c', version: 2 }], unchanged: 0 });
  });

  it('what GET /v1/rules lists can be sent as it is, also with versions of another day', async () => {
    const listed = (await plane.call('/v1/rules?limit=1000')).body as { rules: { version: number }[]; version: number };
    expect(listed.rules.length).toBeGreaterThan(0);
    for (const rules of [listed.rules, listed.rules.map((each) => ({ ...each, version: each.version + 7 }))]) {
      const answer = await apply({ base_version: listed.version, rules });
      expect(answer).toMatchObject({ status: 200, body: { version: listed.version, created: [], updated: [], deleted: [], unchanged: listed.rules.length } });
    }
  });

  it('the same set again changes nothing and takes no version; an absent field is its default', async () => {
    const before = await everything();
    const base = await version();
    const answer = await apply({ base_version: base, rules: [ofSet('b', { mode: 'enforce', count_by: ['key_id'] }), ofSet('a')] });
    expect(answer.body).toEqual({ dry_run: false, version: base, created: [], updated: [], deleted: [], unchanged: 2, warnings: [] });
    expect(await everything()).toBe(before);
  });

  it('dry_run says the same and changes nothing', async () => {
    const before = await everything();
    const base = await version();
    const set = { base_version: base, rules: [ofSet('a', { limit: 6 }), ofSet('n')] };
    const dry = await apply({ ...set, dry_run: true });
    expect(await everything()).toBe(before);
    const real = await apply(set);
    expect(dry.body).toEqual({ ...real.body, dry_run: true, version: base });
    expect(real.body).toMatchObject({ created: [{ rule_id: 'n' }], updated: [{ rule_id: 'a' }], deleted: [{ rule_id: 'b' }] });
  });

  it('a rule that was changed, created or deleted after the base: 412, nothing changed; other changes do not matter', async () => {
    let base = await version();
    await plane.put('/v1/tenants/acme', { name: 'Acme', plan_id: 'free' });
    await plane.put('/v1/plans/free', { name: 'Free' }, { ifMatch: '*' });
    expect((await apply({ base_version: base, dry_run: true, rules: [ofSet('a')] })).status).toBe(200);
    const changes = [() => plane.put('/v1/rules/a', rule('a', { limit: 7 }), { ifMatch: '*' }), () => plane.put('/v1/rules/n', rule('n')), () => plane.call('/v1/rules/n', { method: 'DELETE', ifMatch: '*' })];
    for (const change of changes) {
      base = await version();
      await change();
      const before = await everything();
      for (const dry_run of [true, false]) {
        const answer = await apply({ base_version: base, dry_run, rules: [ofSet('a')] });
        expect([answer.status, answer.body]).toEqual([412, expect.objectContaining({ type: 'urn:sluice:problem:version-mismatch', current_version: base + 1 })]);
      }
      expect(await everything()).toBe(before);
    }
    expect((await apply({ base_version: 1_000_000, rules: [] })).status).toBe(412);
  });

  it('warns of rules that can never apply', async () => {
    const answer = await apply({ base_version: await version(), rules: [ofSet('per-user', { count_by: ['user_id'] }), { ...ofSet('user', { descriptors: { user_id: '*' }, count_by: ['user_id'] }), endpoint: '/per-user' }] });
    expect(answer.body['warnings']).toEqual([{ rule_id: 'per-user', shadowed_by: 'user', detail: expect.any(String) }]);
  });

  it('two sets that swap the matches of two rules go in at once, as no two PUTs could', async () => {
    const answer = await apply({ base_version: await version(), rules: [ofSet('a', { endpoint: '/b' }), ofSet('b', { endpoint: '/a' })] });
    expect(answer.body).toMatchObject({ updated: [{ rule_id: 'a' }, { rule_id: 'b' }] });
  });

  it('live overrides of a rule that would go stand in the way, dry or not', async () => {
    await plane.put('/v1/tenants/acme', { name: 'Acme', plan_id: 'free' });
    await plane.call('/v1/keys', { method: 'POST', json: { tenant_id: 'acme', name: 'A', key_id: 'k1' } });
    await plane.call('/v1/overrides', { method: 'POST', json: { key_id: 'k1', rule_id: 'a', limit: 9, expires_at: new Date(Date.now() + 60_000).toISOString() }, headers: { 'idempotency-key': 'one' } });
    const before = await everything();
    for (const dry_run of [true, false]) {
      const answer = await apply({ base_version: await version(), dry_run, rules: [ofSet('b')] });
      expect([answer.status, answer.body['type']]).toEqual([409, 'urn:sluice:problem:in-use']);
    }
    expect(await everything()).toBe(before);
  });

  it('the proposal of a rule that goes goes with it, in the same version', async () => {
    expect((await plane.put('/v1/rules/a/proposal', rule('a', { limit: 50 }))).status).toBe(201);
    const base = await version();
    expect((await apply({ base_version: base, rules: [ofSet('b')] })).body).toMatchObject({ version: base + 1, deleted: [{ rule_id: 'a', version: 1 }], created: [], updated: [] });
    expect((await plane.call('/v1/rules/a/proposal')).status).toBe(404);
    expect((await plane.call('/v1/audit?kind=proposal&limit=1')).body['entries']).toMatchObject([{ version: base + 1, id: 'a', action: 'deleted' }]);
  });

  it('whatever the sets: the rules are the last one, versions rise where something changed and nowhere else, and nodes get there by the changes', async () => {
    const set = fc.uniqueArray(fc.record({ id: fc.constantFrom('a', 'b', 'c', 'd', 'e'), limit: fc.integer({ min: 1, max: 3 }), mode: fc.constantFrom('enforce', 'shadow', undefined) }), { selector: ({ id }) => id });
    const versions = new Map<string, { readonly text: string; readonly version: number }>();
    for (const { rule_id, version: last, ...fields } of (await stored()) as unknown as Rule[]) versions.set(rule_id, { text: JSON.stringify(fields), version: last });
    for (const wanted of fc.sample(set, { numRuns: 40, seed: 20_261_130 })) {
      const before = validateSnapshot((await plane.call('/v1/snapshot')).body);
      const rules = wanted.map(({ id, limit, mode }) => ofSet(id, { limit, ...(mode === undefined ? {} : { mode }) }));
      expect((await apply({ base_version: await version(), rules })).status).toBe(200);
      const now = (await stored()) as unknown as Rule[];
      expect(now.map(({ rule_id, limit, mode = 'enforce' }) => [rule_id, limit, mode])).toEqual(wanted.map(({ id, limit, mode = 'enforce' }) => [id, limit, mode]).sort());
      const ids = new Set(now.map(({ rule_id }) => rule_id));
      for (const { rule_id, version: last, ...fields } of now) {
        const known = versions.get(rule_id) ?? { text: '', version: 0 };
        const text = JSON.stringify(fields);
        expect([rule_id, last]).toEqual([rule_id, known.text === text ? known.version : known.version + 1]);
        versions.set(rule_id, { text, version: last });
      }
      for (const [id, { version: last }] of versions) if (!ids.has(id)) versions.set(id, { text: '', version: last });
      const delta = await plane.call(`/v1/snapshot?since=${before.ok ? before.value.version : -1}`);
      if (!('since' in delta.body)) continue;
      const changes = validateDelta(delta.body);
      const after = before.ok && changes.ok ? applyDelta(before.value, changes.value) : undefined;
      expect(after?.ok === true && snapshotChecksum(after.value)).toBe(delta.headers.get('sluice-checksum'));
    }
  }, 30_000);

  it('R52 with an Idempotency-Key the answer of the first time comes again', async () => {
    const set = { base_version: await version(), rules: [ofSet('a', { limit: 8 })] };
    const first = await apply(set, { 'idempotency-key': 'deploy-1' });
    const second = await apply(set, { 'idempotency-key': 'deploy-1' });
    expect([first.status, second.status, second.text, second.headers.get('idempotency-replayed')]).toEqual([200, 200, first.text, 'true']);
    expect((await apply({ ...set, rules: [] }, { 'idempotency-key': 'deploy-1' })).status).toBe(422);
    expect((await apply(set)).status).toBe(412);
  });

  it('of two sets on one base one goes in, 30 times', async () => {
    for (let round = 0; round < 30; round += 1) {
      const base_version = await version();
      const answers = await Promise.all([1, 2].map((editor) => apply({ base_version, rules: [ofSet('a', { limit: 1_000 + round * 2 + editor })] })));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 412]);
      expect(await version()).toBe(base_version + 1);
    }
  });
});

describe('R57 a set of 5,000 rules', () => {
  beforeAll(start, 60_000);
  afterAll(() => plane.close());

  const many = (limit: number): object[] => Array.from({ length: 5_000 }, (_, n) => ({ rule_id: `r${n}`, plan: n % 2 === 0 ? 'free' : 'pro', endpoint: `GET /v1/service-${n % 50}/thing-${n}/{id}`, limit, window_seconds: 60, descriptors: n % 10 === 0 ? { region: '*' } : { region: `r${n % 7}` } }));

  it('goes in at once, and others write meanwhile', async () => {
    const times: Record<string, number> = {};
    const timed = async (name: string, body: object): Promise<Answer> => {
      const started = performance.now();
      let done = false;
      const others: number[] = [];
      const beside = (async () => {
        for (let n = 0; !done; n += 1) {
          const from = performance.now();
          await plane.put('/v1/tenants/beside', { name: `Beside ${n} ${name}`, plan_id: 'free' }, n === 0 && name === 'dry' ? { ifNoneMatch: '*' } : { ifMatch: '*' });
          others.push(performance.now() - from);
        }
      })();
      const answer = await apply(body);
      times[name] = Math.round(performance.now() - started);
      done = true;
      await beside;
      times[`${name}: longest other write`] = Math.round(Math.max(...others));
      return answer;
    };
    const base = await version();
    expect((await timed('dry', { base_version: base, dry_run: true, rules: many(5) })).body['created']).toHaveLength(5_000);
    expect((await timed('create', { base_version: base, rules: many(5) })).body['created']).toHaveLength(5_000);
    const updated = await timed('update', { base_version: await version(), rules: many(6) });
    expect(updated.body['updated']).toHaveLength(5_000);
    expect((await timed('same', { base_version: await version(), rules: many(6) })).body['unchanged']).toBe(5_000);
    const started = performance.now();
    const at = ((await plane.call('/v1/audit?limit=1&kind=rule')).body['entries'] as { at: string }[])[0]?.at ?? '';
    const past = await plane.call(`/v1/snapshot?at=${at}`);
    times['snapshot at'] = Math.round(performance.now() - started);
    expect(past.text).toBe((await plane.call('/v1/snapshot')).text);
    expect((await timed('delete', { base_version: await version(), rules: [] })).body['deleted']).toHaveLength(5_000);
    if (process.env['SLUICE_PRINT_TIMES'] !== undefined) process.stderr.write(`${JSON.stringify(times)}\n`);
    // Generous: the machine is shared. Statements end after 5 s, and waiting for the lock after 3.
    expect(times['create: longest other write']).toBeLessThan(3_000);
  }, 120_000);

  it('a body above 8 MiB is a 413, and above 64 KiB one anywhere else', async () => {
    const large = 'x'.repeat(70_000);
    expect((await apply({ base_version: 0, rules: [], note: large })).status).toBe(400);
    expect((await plane.call('/v1/rules:apply', { method: 'POST', raw: `"${'x'.repeat(8_388_608)}"` })).status).toBe(413);
    expect((await plane.put('/v1/rules/large', { ...rule('large'), domain: large })).status).toBe(413);
  });

  it('thousands of faults are named by the first hundred', async () => {
    const answer = await apply({ base_version: 0, rules: many(0) });
    expect([answer.status, (answer.body['errors'] as unknown[]).length, answer.body['detail']]).toEqual([400, 100, 'The rules are not valid; see errors, and 4900 more.']);
  });
});
