import { type Answer, type ControlPlane, startControlPlane } from './control-plane.js';

let plane: ControlPlane;
beforeAll(async () => {
  plane = await startControlPlane();
  await plane.put('/v1/plans/free', {});
  await plane.put('/v1/plans/pro', {});
}, 60_000);
afterAll(() => plane.close());

/** A rule for an endpoint of its own: two for the same are a conflict. */
const ruleOn = (plan: string, id: string): { plan: string; endpoint: string; limit: number; window_seconds: number } => ({ plan, endpoint: `/${id}`, limit: 5, window_seconds: 1 });

async function allPages(path: string, between: () => Promise<unknown> = () => Promise.resolve()): Promise<{ ids: string[]; pages: Answer[] }> {
  const ids: string[] = [];
  const pages: Answer[] = [];
  let cursor: string | null = null;
  do {
    const page: Answer = await plane.call(`${path}${path.includes('?') ? '&' : '?'}${cursor === null ? '' : `cursor=${cursor}`}`);
    expect(page.status).toBe(200);
    pages.push(page);
    ids.push(...(page.body['rules'] as { rule_id: string }[]).map(({ rule_id }) => rule_id));
    cursor = page.body['next_cursor'] as string | null;
    await between();
  } while (cursor !== null);
  return { ids, pages };
}

describe('R53 GET /v1/rules', () => {
  const stable = Array.from({ length: 60 }, (_, index) => `stable-${String(index).padStart(3, '0')}`);
  beforeAll(async () => {
    await plane.admin.seed({ plans: [], tenants: [], keys: [], rules: stable.map((rule_id, index) => ({ rule_id, ...ruleOn(index % 2 === 0 ? 'free' : 'pro', rule_id) })) });
  });

  it('{rules, next_cursor, version} in order of id, every rule once, with Link to the next page', async () => {
    const { ids, pages } = await allPages('/v1/rules?limit=7');
    expect(ids).toEqual(stable);
    expect(pages).toHaveLength(9);
    expect(pages[0]?.headers.get('link')).toBe(`</v1/rules?limit=7&cursor=${pages[0]?.body['next_cursor'] as string}>; rel="next"`);
    expect(pages.at(-1)?.headers.get('link')).toBeNull();
    expect(new Set(pages.map(({ body }) => body['version'])).size).toBe(1);
    expect((await plane.call('/v1/rules')).body['rules']).toHaveLength(60);
    expect((await allPages('/v1/rules?limit=60')).pages).toHaveLength(1);
  });

  it('only those of a plan', async () => {
    const { ids } = await allPages('/v1/rules?plan=pro&limit=9');
    expect(ids).toEqual(stable.filter((_, index) => index % 2 === 1));
    expect((await plane.call('/v1/rules?plan=none')).body['rules']).toEqual([]);
  });

  it('304 to who holds the page, by weak comparison; another page and another version have other tags', async () => {
    const page = await plane.call('/v1/rules?limit=5');
    for (const held of [page.etag ?? '', `W/${page.etag}`, `"x", ${page.etag}`]) {
      const answer = await plane.call('/v1/rules?limit=5', { ifNoneMatch: held });
      expect([answer.status, answer.text, answer.etag]).toEqual([304, '', page.etag]);
    }
    expect((await plane.call('/v1/rules?limit=6', { ifNoneMatch: page.etag ?? '' })).status).toBe(200);
    await plane.put('/v1/rules/zz-last', ruleOn('free', 'zz-last'));
    expect((await plane.call('/v1/rules?limit=5', { ifNoneMatch: page.etag ?? '' })).status).toBe(200);
    await plane.call('/v1/rules/zz-last', { method: 'DELETE', ifMatch: '*' });
  });

  it.each([
    'limit=0', 'limit=1001', 'limit=-1', 'limit=1.5', 'limit=1e2', 'limit=0x10', 'limit=%201', 'limit=', 'limit=99999999999999999999', 'limit=1&limit=2', 'limit[]=1', 'offset=5', 'plan=%00', 'plan=a%20b',
    'cursor=', 'cursor=abc', 'cursor=%00', `cursor=${'x'.repeat(2000)}`, `cursor=${Buffer.from('[1,"rules","a\\u0000b"]').toString('base64url')}`,
    `cursor=${Buffer.from('[1,"plans","a"]').toString('base64url')}`, `cursor=${Buffer.from('[2,"rules","a"]').toString('base64url')}`, `cursor=${Buffer.from('{"after":"a"}').toString('base64url')}`,
  ])('%s is a 400 that points at the parameter', async (query) => {
    const answer = await plane.call(`/v1/rules?${query}`);
    expect(answer.status).toBe(400);
    expect((answer.body['errors'] as { pointer: string }[])[0]?.pointer).toMatch(/^\/query\//);
  });

  it('a cursor of one filter is an error under another', async () => {
    const cursor = (await plane.call('/v1/rules?plan=pro&limit=2')).body['next_cursor'] as string;
    expect((await plane.call(`/v1/rules?plan=free&limit=2&cursor=${cursor}`)).status).toBe(400);
    expect((await plane.call(`/v1/rules?plan=pro&limit=3&cursor=${cursor}`)).status).toBe(200);
  });

  it('under concurrent writes loses and repeats nothing', async () => {
    let writing = true;
    let writes = 0;
    const writers = Array.from({ length: 4 }, async (_, writer) => {
      for (let round = 0; writing; round += 1) {
        // Before, between and after the stable ones; created, changed and deleted while the pages are read.
        const id = `${['aaa', 'stable-030x', 'zzz'][round % 3]}-${writer}`;
        const touched = stable[(round * 7 + writer) % stable.length] ?? '';
        const answers = [
          await plane.put(`/v1/rules/${id}`, { ...ruleOn('free', id), limit: 1 + round }, { ifNoneMatch: '*' }),
          await plane.put(`/v1/rules/${id}`, { ...ruleOn('free', id), limit: 2 + round }, { ifMatch: '*' }),
          await plane.call(`/v1/rules/${id}`, { method: 'DELETE', ifMatch: '*' }),
          await plane.put(`/v1/rules/${touched}`, { ...ruleOn('free', touched), limit: 10 + round }, { ifMatch: '*' }),
        ];
        expect(answers.map(({ status }) => status)).toEqual([201, 200, 204, 200]);
        writes += 1;
      }
    });
    try {
      const versions = new Set<unknown>();
      for (let pass = 0; pass < 6; pass += 1) {
        const { ids, pages } = await allPages('/v1/rules?limit=5');
        for (const { body } of pages) versions.add(body['version']);
        expect(ids.filter((id) => stable.includes(id))).toEqual(stable);
        expect(new Set(ids).size).toBe(ids.length);
        expect([...ids].sort()).toEqual(ids);
      }
      expect(versions.size).toBeGreaterThan(10);
    } finally {
      writing = false;
      await Promise.all(writers);
    }
    expect(writes).toBeGreaterThan(5);
  }, 30_000);
});

describe('R53 the other lists page the same way', () => {
  it.each([
    ['plans', 'plan_id'],
    ['tenants', 'tenant_id'],
    ['keys', 'key_id'],
  ])('/v1/%s', async (name, idField) => {
    await plane.put('/v1/tenants/t1', { name: 'One', plan_id: 'free' });
    await plane.put('/v1/tenants/t2', { name: 'Two', plan_id: 'pro' });
    await plane.call('/v1/keys', { method: 'POST', json: { tenant_id: 't1', name: 'A', key_id: `${name}-a` } });
    await plane.call('/v1/keys', { method: 'POST', json: { tenant_id: 't2', name: 'B', key_id: `${name}-b` } });
    const first = await plane.call(`/v1/${name}?limit=1`);
    const items = first.body[name] as Record<string, unknown>[];
    expect(items).toHaveLength(1);
    expect(first.body['version']).toEqual(expect.any(Number));
    const second = await plane.call(`/v1/${name}?limit=1&cursor=${first.body['next_cursor'] as string}`);
    expect(String((second.body[name] as Record<string, unknown>[])[0]?.[idField]) > String(items[0]?.[idField])).toBe(true);
    expect((await plane.call(`/v1/${name}?limit=1`, { ifNoneMatch: first.etag ?? '' })).status).toBe(304);
    expect((await plane.call(`/v1/${name}?cursor=x`)).status).toBe(400);
  });

  it('tenants of a plan, keys of a tenant', async () => {
    expect((await plane.call('/v1/tenants?plan_id=pro')).body['tenants']).toMatchObject([{ tenant_id: 't2' }]);
    const keys = (await plane.call('/v1/keys?tenant_id=t2')).body['keys'] as { tenant_id: string }[];
    expect(keys.length).toBeGreaterThan(0);
    expect(keys.every(({ tenant_id }) => tenant_id === 't2')).toBe(true);
  });
});
