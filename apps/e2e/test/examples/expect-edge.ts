import { setTimeout as sleep } from 'node:timers/promises';
import type { EdgeStage } from './edge-stage.js';

const KEY = { 'X-Api-Key': 'demo-free' };

/** A client is limited with 429 and all fields, waits as long as it is told to, and is served. */
async function expectLimitedThenServed({ ask }: EdgeStage): Promise<void> {
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
async function expectSpoofingIsVain({ ask }: EdgeStage): Promise<void> {
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
async function expectBodiesPass({ ask }: EdgeStage): Promise<void> {
  const body = 'x'.repeat(100_000);
  const sent = await ask('/dear', { 'Content-Type': 'text/plain' }, 'POST', body);
  expect(sent.status).toBe(200);
  expect(sent.got.body).toBe(body);
  expect((await ask('/dear', {}, 'POST', body)).status).toBe(429);
  expect((await ask('/dear')).status).toBe(200);
}

/** Who shows a key that is none is refused as such. */
async function expectBadKeysRefused(stage: EdgeStage): Promise<void> {
  const before = stage.served;
  const refused = await stage.ask('/v1/items/7', { 'X-Api-Key': 'gone' });
  expect(refused.status).toBe(401);
  expect(refused.headers.get('www-authenticate')).toBe('ApiKey realm="sluice"');
  expect(stage.served).toBe(before);
}

/** Fields and targets of a client's own choice do not make the decision service look away. */
async function expectNoWayAround(stage: EdgeStage): Promise<void> {
  for (let at = 0; at < 2; at += 1) expect(await stage.askRaw('GET /open')).toBe(200);
  const before = stage.served;
  const long = 'a'.repeat(7_900);
  const questions: readonly (readonly [string, readonly string[]])[] = [
    ...[6_000, 7_900, 11_990, 12_010, 14_900, 15_050, 15_150, 15_250].map((length) => [`GET /open?${'a'.repeat(length)}`, []] as const),
    ...[5_000, 7_900, 11_990, 14_900, 15_050, 15_200].map((length) => ['GET /open', [`X-Api-Key: ${'a'.repeat(length)}`]] as const),
    ...[7_900, 15_000].map((length) => ['GET /open', [`Origin: ${'a'.repeat(length)}`]] as const),
    [`GET /open?${long}`, [`X-Api-Key: ${'a'.repeat(6_900)}`]],
    ['GET /open', [1, 2, 3].map((each) => `X-Long-${each}: ${long}`)],
    ['GET /open', Array.from({ length: 400 }, (_, at) => `A${at}: b`)],
    ['GET /open', ['X-Api-Key: a\u0001b']],
    ['GET /open', ['X-Api-Key: a\u007fb']],
    ['GET /open', ['X-Api-Key: a\u00e9b']],
    ['GET /open', ['X-Other: a\u0001b']],
    ['GET /open', ['Origin: a\u0001b']],
    ['GET /open', ['Expect: something']],
    ['GET /open', ['Transfer-Encoding: chunked, chunked']],
    ['GET /open\u0001', []],
    ['GET /open\t', []],
  ];
  for (const [line, fields] of questions) {
    const status = await stage.askRaw(line, fields);
    const question = `${line.slice(0, 20)} of ${line.length}, ${fields.length} fields, ${fields[0]?.slice(0, 20)} of ${fields[0]?.length}`;
    // 501 is for codings of a message that a server does not know; a 500 would be for nobody's mistake but its own.
    expect([question, status >= 400 && status < 500 ? 4 : status]).toEqual([question, status === 501 ? 501 : 4]);
    expect([question, stage.served]).toEqual([question, before]);
  }
  // What the decision does not read does not count.
  expect(await stage.askRaw('GET /free', [`X-Long: ${'a'.repeat(7_900)}`])).toBe(200);
}

/** Names that a service may read as Sluice's, and as the address of the client, are not the client's to write. */
async function expectForgedSpellingsGone({ ask }: EdgeStage): Promise<void> {
  const forged = { Sluice_Key_Id: 'evil', 'Sluice-Key_Id': 'evil', SLUICE_PLAN: 'evil', 'Sluice-Tenant_Id': 'evil', 'X-Forwarded-For': '6.6.6.6', X_Forwarded_For: '6.6.6.6' };
  for (const key of [{}, { 'X-Api-Key': 'demo-free' }]) {
    const { got } = await ask('/v1/items/7', { ...forged, ...key });
    expect(got['x-forwarded-for']).toBe('127.0.0.1');
    expect(Object.entries(got).filter(([, value]) => /evil|6\.6/.test(String(value)))).toEqual([]);
  }
}

/** Of many at once on a shaper each waits its turn or is refused: none passes because it waited too long. */
async function expectShaperLimits(stage: EdgeStage): Promise<void> {
  const answers = await Promise.all(Array.from({ length: 12 }, () => stage.ask('/slow')));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  for (const { status, headers } of answers) if (status !== 200) expect([status, headers.get('retry-after')]).toEqual([429, expect.stringMatching(/^\d+$/)]);
  expect(stage.served).toBe(1);
}

/** What holds of every proxy in front, with `start` to bring it and its stage up. */
export function itHoldsOfEdges(start: () => Promise<EdgeStage>): void {
  it('R70 limits a client with 429 and the fields, and serves it when it has waited', async () => expectLimitedThenServed(await start()));
  it('R77 is not led astray by what a client sends', async () => expectSpoofingIsVain(await start()));
  it('R77 has no limit switched off by what is long, odd or forged', async () => expectNoWayAround(await start()), 30_000);
  it('R77 hands on no spelling of a field that names the caller', async () => expectForgedSpellingsGone(await start()));
  it('limits by a shaper', async () => expectShaperLimits(await start()));
  it('hands bodies on, and counts by method', async () => expectBodiesPass(await start()));
  it('refuses keys that are none', async () => expectBadKeysRefused(await start()));
}
