import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, type ControlPlane, startControlPlane, until } from './control-plane.js';

let plane: ControlPlane;
beforeAll(async () => {
  plane = await startControlPlane();
  await plane.put('/v1/plans/free', {});
  await plane.put('/v1/tenants/acme', { name: 'Acme', plan_id: 'free' });
}, 60_000);
afterAll(() => plane.close());

let next = 0;
async function newKey(): Promise<{ readonly id: string; readonly secret: string }> {
  next += 1;
  const id = `key-${next}`;
  const { body } = await plane.call('/v1/keys', { method: 'POST', json: { tenant_id: 'acme', name: 'K', key_id: id } });
  return { id, secret: String(body['secret']) };
}
const rotate = (id: string, overlap: unknown, ifMatch: string | null = '*'): Promise<Answer> => plane.call(`/v1/keys/${id}:rotate`, { method: 'POST', json: { overlap_seconds: overlap }, ifMatch });
const lookup = (secret: unknown): Promise<Answer> => plane.call('/v1/keys:lookup', { method: 'POST', json: { key_hash: createHash('sha256').update(String(secret)).digest('hex') } });
const snapshotVersion = async (): Promise<unknown> => (await plane.call('/v1/snapshot')).body['version'];

describe('R50 a key gets a new secret, and the old one stays good for a while', () => {
  it('both are good during the overlap, the answer for the old one says how long, and then it is nobody\'s', async () => {
    const { id, secret } = await newKey();
    const before = Number(await snapshotVersion());
    const answer = await rotate(id, 2, '"v1"');
    expect([answer.status, answer.etag, answer.headers.get('cache-control')]).toEqual([200, '"v2"', 'no-store']);
    expect(answer.body).toEqual({ key_id: id, secret: expect.stringMatching(/^sk_[\w-]{43}$/), previous_secret_until: expect.any(String), version: 2 });
    // Gateways are told.
    expect(await snapshotVersion()).toBeGreaterThan(before);
    expect((await lookup(answer.body['secret'])).body).toEqual({ key_id: id, tenant_id: 'acme', plan: 'free', disabled: false });
    const old = (await lookup(secret)).body;
    expect(old).toEqual({ key_id: id, tenant_id: 'acme', plan: 'free', disabled: false, valid_for_seconds: expect.any(Number) });
    expect(old['valid_for_seconds']).toBeLessThanOrEqual(2);
    expect((await plane.call(`/v1/keys/${id}`)).body).toMatchObject({ version: 2, previous_secret_until: answer.body['previous_secret_until'] });
    await until(async () => (await lookup(secret)).status === 404);
    expect((await lookup(answer.body['secret'])).status).toBe(200);
  }, 20_000);

  it('without an overlap the old one ends at once', async () => {
    const { id, secret } = await newKey();
    const answer = await rotate(id, 0);
    expect(answer.body).not.toHaveProperty('previous_secret_until');
    expect((await lookup(secret)).status).toBe(404);
    expect((await lookup(answer.body['secret'])).status).toBe(200);
  });

  it('of three secrets the two newest are good', async () => {
    const { id, secret } = await newKey();
    const second = (await rotate(id, 600)).body['secret'];
    const third = (await rotate(id, 600)).body['secret'];
    expect((await Promise.all([secret, second, third].map(lookup))).map(({ status }) => status)).toEqual([404, 200, 200]);
  });

  it('a disabled key is disabled by either secret, and a deleted one is gone', async () => {
    const { id, secret } = await newKey();
    const second = (await rotate(id, 600)).body['secret'];
    await plane.call(`/v1/keys/${id}`, { method: 'PATCH', json: { disabled: true }, ifMatch: '"v2"' });
    expect((await lookup(secret)).body).toMatchObject({ disabled: true });
    expect((await lookup(second)).body).toMatchObject({ disabled: true });
    await plane.call(`/v1/keys/${id}`, { method: 'DELETE', ifMatch: '"v3"' });
    expect((await lookup(secret)).status).toBe(404);
  });

  it('follows If-Match: of twenty at once one rotates, and nobody is left with a secret that is not good', async () => {
    const { id } = await newKey();
    expect((await rotate(id, 60, null)).status).toBe(412);
    const answers = await Promise.all(Array.from({ length: 20 }, () => rotate(id, 60, '"v1"')));
    const rotated = answers.filter(({ status }) => status === 200);
    expect([rotated.length, answers.filter(({ status }) => status === 412).length]).toEqual([1, 19]);
    expect((await lookup(rotated[0]?.body['secret'])).status).toBe(200);
    expect((await rotate('nobody', 60)).status).toBe(404);
  });

  it.each([-1, 1.5, 2_592_001, '60', null, undefined])('an overlap of %p is a 400', async (overlap) => {
    const { id } = await newKey();
    const answer = await rotate(id, overlap);
    expect([answer.status, (answer.body['errors'] as { pointer: string }[])[0]?.pointer]).toEqual([400, '/overlap_seconds']);
  });

  it('no secret and no hash is in lists, in the audit or in the snapshot', async () => {
    const { id, secret } = await newKey();
    const second = String((await rotate(id, 60)).body['secret']);
    await sleep(10);
    const texts = [await plane.call('/v1/keys?limit=1000'), await plane.call('/v1/audit?limit=1000'), await plane.call('/v1/snapshot')].map(({ text }) => text).join();
    for (const one of [secret, second]) {
      expect(texts).not.toContain(one);
      expect(texts).not.toContain(createHash('sha256').update(one).digest('hex'));
    }
    expect(texts).toContain(id);
    expect((await plane.call(`/v1/keys/${id}/history`)).text).toContain('secret rotated, the old one good for 60 s');
  });
});
