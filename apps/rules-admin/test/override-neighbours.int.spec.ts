import { type ControlPlane, startControlPlane } from './control-plane.js';
import { createOverride, HOUR_MS, inMs } from './override-plane.js';

let plane: ControlPlane;
beforeAll(async () => {
  plane = await startControlPlane();
  await plane.put('/v1/plans/free', { default_limit: { limit: 5, window_seconds: 1 } });
  await plane.put('/v1/plans/pro', {});
  await plane.put('/v1/tenants/acme', { name: 'Acme', plan_id: 'free' });
  for (const key_id of ['key-a', 'key-b']) await plane.call('/v1/keys', { method: 'POST', json: { tenant_id: 'acme', name: key_id, key_id } });
  const rules = {
    wide: { plan: 'free', limit: 10, window_seconds: 1 },
    login: { plan: 'free', endpoint: 'POST /login', limit: 1, window_seconds: 60 },
    anyone: { endpoint: '/search', limit: 1, window_seconds: 1 },
    apart: { plan: 'free', endpoint: 'POST /login', policy: 'login', limit: 1, window_seconds: 60 },
    other: { plan: 'pro', endpoint: 'POST /login', limit: 1, window_seconds: 60 },
    resting: { plan: 'free', endpoint: 'GET /login', limit: 1, window_seconds: 60, mode: 'off' },
    tried: { plan: 'free', endpoint: 'PUT /login', limit: 1, window_seconds: 60, mode: 'shadow' },
  };
  for (const [id, rule] of Object.entries(rules)) await plane.put(`/v1/rules/${id}`, rule);
}, 60_000);
afterAll(() => plane.close());

const BASE = { key_id: 'key-a', limit: 500, expires_at: inMs(24 * HOUR_MS) };
const end = (id: unknown): Promise<unknown> => plane.call(`/v1/overrides/${String(id)}`, { method: 'DELETE', ifMatch: '*' });

describe('R50 an override says what it does to what is beside it', () => {
  it.each([
    ['wide', /^The override goes before every rule .*: anyone, login\. To keep/],
    ['plan:free', /: anyone, login, wide\. To keep/],
  ])('%s: names the more specific rules of the policy that are switched off', async (rule_id, warning) => {
    const { body } = await createOverride(plane, { ...BASE, rule_id });
    expect(body['warnings']).toEqual([expect.stringMatching(warning)]);
    await end(body['override_id']);
  });

  it.each(['login', 'apart', 'tried'])('%s: says nothing where nothing more specific is', async (rule_id) => {
    const { body } = await createOverride(plane, { ...BASE, rule_id });
    expect(body).not.toHaveProperty('warnings');
    await end(body['override_id']);
  });

  it('names 20 of many', async () => {
    for (let each = 10; each < 40; each += 1) await plane.put(`/v1/rules/many-${each}`, { plan: 'free', policy: 'many', endpoint: `/many/${each}`, limit: 1, window_seconds: 1 });
    await plane.put('/v1/rules/many', { plan: 'free', policy: 'many', limit: 10, window_seconds: 1 });
    const { body } = await createOverride(plane, { ...BASE, rule_id: 'many' });
    expect(body['warnings']).toEqual([expect.stringMatching(/: many-10, .*many-29 and 10 more\. /)]);
    await end(body['override_id']);
  });

  it('names the live one of the same key and rule that goes first, also after a change; not one that expires later', async () => {
    const first = (await createOverride(plane, { ...BASE, rule_id: 'login', expires_at: inMs(HOUR_MS) })).body['override_id'] as string;
    const later = (await createOverride(plane, { ...BASE, rule_id: 'login' })).body;
    expect(later['warnings']).toEqual([expect.stringMatching(`^The override ${first} of the same rule and key goes first, until 20`)]);
    expect((await createOverride(plane, { ...BASE, rule_id: 'login', key_id: 'key-b' })).body).not.toHaveProperty('warnings');
    const change = (id: unknown, json: object): Promise<{ body: Record<string, unknown> }> => plane.call(`/v1/overrides/${String(id)}`, { method: 'PATCH', json, ifMatch: '*' });
    expect((await change(first, { limit: 400 })).body).not.toHaveProperty('warnings');
    expect((await change(later['override_id'], { limit: 400 })).body['warnings']).toHaveLength(1);
    // Both at once: the smaller limit goes first.
    const { expires_at } = (await plane.call(`/v1/overrides/${first}`)).body;
    expect((await change(later['override_id'], { limit: 399, expires_at })).body).not.toHaveProperty('warnings');
    expect((await change(first, { limit: 401 })).body['warnings']).toEqual([expect.stringMatching(`^The override ${String(later['override_id'])} `)]);
  });
});
