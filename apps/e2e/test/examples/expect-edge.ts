import { setTimeout as sleep } from 'node:timers/promises';
import type { EdgeStage } from './edge-stage.js';

const KEY = { 'X-Api-Key': 'demo-free' };

/** A client is limited with 429 and all fields, waits as long as it is told to, and is served. */
export async function expectLimitedThenServed({ ask }: EdgeStage): Promise<void> {
  const first = await ask('/v1/items/7?x=1', KEY);
  expect(first.status).toBe(200);
  expect(first.headers.get('x-ratelimit-limit')).toBe('3');
  expect(first.headers.get('ratelimit')).toMatch(/^"default";r=2;t=\d+$/);
  expect(first.got).toMatchObject({ 'sluice-key-id': 'k1', 'sluice-tenant-id': 't1', 'sluice-plan': 'free' });
  for (let at = 0; at < 2; at += 1) await ask('/v1/items/7', KEY);
  const refused = await ask('/v1/items/7', KEY);
  expect(refused.status).toBe(429);
  expect(refused.headers.get('content-type')).toContain('application/problem+json');
  expect(refused.headers.get('cache-control')).toBe('no-store');
  expect(refused.headers.get('x-ratelimit-remaining')).toBe('0');
  expect(refused.headers.get('ratelimit-policy')).toBe('"default";q=3;w=2');
  expect(JSON.parse(refused.text)).toMatchObject({ status: 429 });
  const seconds = Number(refused.headers.get('retry-after'));
  expect(seconds).toBeGreaterThanOrEqual(1);
  await sleep(seconds * 1_000);
  expect((await ask('/v1/items/7', KEY)).status).toBe(200);
}

/** What a client sends beside its key changes nothing, for the decision and for the service behind (R77). */
export async function expectSpoofingIsVain({ ask }: EdgeStage): Promise<void> {
  const forged: readonly Record<string, string>[] = [
    { 'X-Forwarded-For': '9.9.9.9' },
    { 'X-Real-IP': '9.9.9.9', Forwarded: 'for=9.9.9.9' },
    { 'X-Original-URI': '/other', 'X-Original-Method': 'PUT' },
    { 'X-Forwarded-Uri': '/other', 'X-Forwarded-Method': 'PUT' },
    { 'Sluice-Key-Id': 'k9', 'Sluice-Plan': 'pro', 'Sluice-Tenant-Id': 't9', 'Sluice-Status': '200' },
    { Authorization: 'Bearer decision-token' },
  ];
  expect((await ask('/open')).headers.get('x-ratelimit-remaining')).toBe('1');
  const second = await ask('/open', Object.assign({}, ...forged) as Record<string, string>);
  expect(second.headers.get('x-ratelimit-remaining')).toBe('0');
  expect(second.got['sluice-key-id']).toBeUndefined();
  expect(second.got['sluice-plan']).toBeUndefined();
  for (const headers of forged) expect([headers, (await ask('/open', headers)).status]).toEqual([headers, 429]);
  for (const path of ['/open?x=1', '/%6fpen', '/x/../open', '/x/%2e%2e/open', '/./open']) expect([path, (await ask(path)).status]).toEqual([path, 429]);
  expect((await ask('/open', {}, 'HEAD')).status).toBe(429);
}

/** The body goes to the service behind, whole, and its method counts. */
export async function expectBodiesPass({ ask }: EdgeStage): Promise<void> {
  const body = 'x'.repeat(100_000);
  const sent = await ask('/dear', { 'Content-Type': 'text/plain' }, 'POST', body);
  expect(sent.status).toBe(200);
  expect(sent.got.body).toBe(body);
  expect((await ask('/dear', {}, 'POST', body)).status).toBe(429);
  expect((await ask('/dear')).status).toBe(200);
}

/** Who shows a key that is none is refused as such. */
export async function expectBadKeysRefused(stage: EdgeStage): Promise<void> {
  const before = stage.served;
  const refused = await stage.ask('/v1/items/7', { 'X-Api-Key': 'gone' });
  expect(refused.status).toBe(401);
  expect(refused.headers.get('www-authenticate')).toBe('ApiKey realm="sluice"');
  expect(stage.served).toBe(before);
}
