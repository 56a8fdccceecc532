import { type IncomingHttpHeaders, request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { type ControlPlane, startControlPlane, TOKEN } from './control-plane.js';

let plane: ControlPlane;
beforeAll(async () => {
  plane = await startControlPlane();
  await plane.put('/v1/plans/free', { name: 'Größe' });
  for (let at = 0; at < 30; at += 1) await plane.put(`/v1/rules/r${at}`, { plan: 'free', endpoint: `/things/${at}`, limit: 5, window_seconds: 1 });
}, 60_000);
afterAll(() => plane.close());

interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Nothing is decoded, and no header added. */
function raw(path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET'): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const sent = request(`${plane.url}${path}`, { method, headers: { authorization: `Bearer ${TOKEN}`, ...headers } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }));
    });
    sent.on('error', reject);
    sent.end();
  });
}

const decode = { br: brotliDecompressSync, gzip: gunzipSync, identity: (bytes: Buffer): Buffer => bytes } as const;

describe('R54 the snapshot in each coding', () => {
  it.each([
    [undefined, 'identity'],
    ['gzip', 'gzip'],
    ['gzip, deflate, br', 'br'],
    ['br;q=0.1, gzip', 'gzip'],
    ['identity;q=0, br;q=0, gzip;q=0', 'identity'],
  ] as const)('Accept-Encoding: %s is answered in %s', async (acceptEncoding, coding) => {
    const plain = await raw('/v1/snapshot');
    const answer = await raw('/v1/snapshot', acceptEncoding === undefined ? {} : { 'accept-encoding': acceptEncoding });
    expect([answer.status, answer.headers['content-encoding'] ?? 'identity']).toEqual([200, coding]);
    expect(answer.headers['vary']).toBe('accept-encoding, authorization');
    expect(answer.headers['content-length']).toBe(String(answer.body.length));
    expect(decode[coding](answer.body)).toEqual(plain.body);
    if (coding !== 'identity') expect(answer.body.length).toBeLessThan(plain.body.length / 3);
  });

  it('strong tags differ by coding, each holds for any (RFC 9110 sections 8.8.3.3 and 13.1.2; known failure 77)', async () => {
    const answers = await Promise.all(['identity', 'gzip', 'br'].map((coding) => raw('/v1/snapshot', { 'accept-encoding': coding })));
    const tags = answers.map(({ headers }) => String(headers.etag));
    expect(new Set(tags).size).toBe(3);
    for (const tag of tags) {
      expect(tag).toMatch(/^"/);
      for (const acceptEncoding of ['identity', 'gzip', 'br']) {
        for (const field of [tag, `W/${tag}`, `"other", ${tag}`]) {
          const answer = await raw('/v1/snapshot', { 'accept-encoding': acceptEncoding, 'if-none-match': field });
          expect([answer.status, answer.headers.etag, answer.body.length, answer.headers['content-encoding']]).toEqual([304, tag, 0, undefined]);
          expect([answer.headers['vary'], answer.headers['cache-control']]).toEqual(['accept-encoding, authorization', 'private, no-cache']);
        }
      }
    }
    await plane.put('/v1/rules/r0', { plan: 'free', endpoint: '/things/0', limit: 6, window_seconds: 1 }, { ifMatch: '*' });
    for (const tag of tags) expect((await raw('/v1/snapshot', { 'if-none-match': tag })).status).toBe(200);
  });

  it('changes are compressed when they are large, and leave a small body alone', async () => {
    const { version } = JSON.parse((await raw('/v1/snapshot')).body.toString()) as { version: number };
    const small = await raw(`/v1/snapshot?since=${version - 1}`, { 'accept-encoding': 'br' });
    expect([small.headers['sluice-snapshot'], small.headers['content-encoding']]).toEqual(['delta', undefined]);
    const large = await raw(`/v1/snapshot?since=${version - 20}`, { 'accept-encoding': 'br' });
    expect([large.headers['sluice-snapshot'], large.headers['content-encoding']]).toEqual(['delta', 'br']);
    expect(brotliDecompressSync(large.body)).toEqual((await raw(`/v1/snapshot?since=${version - 20}`)).body);
  });

  it('HEAD is GET without the body, on 200 and on 304', async () => {
    const whole = await raw('/v1/snapshot');
    const head = await raw('/v1/snapshot', {}, 'HEAD');
    expect([head.status, head.body.length, head.headers.etag, head.headers['content-length']]).toEqual([200, 0, whole.headers.etag, String(whole.body.length)]);
    expect((await raw('/v1/snapshot', { 'if-none-match': String(whole.headers.etag) }, 'HEAD')).status).toBe(304);
  });

  it('a 304 has the request id, and is counted under the route as every answer is', async () => {
    const { headers } = await raw('/v1/snapshot');
    const answer = await raw('/v1/snapshot', { 'if-none-match': String(headers.etag), 'x-request-id': 'poll-1' });
    expect([answer.status, answer.headers['x-request-id']]).toEqual([304, 'poll-1']);
    expect((await raw('/metrics')).body.toString()).toMatch(/sluice_http_request_duration_seconds_count\{[^}]*route="\/v1\/snapshot",status="304"[^}]*\} [1-9]/);
  });

  it('who holds the version but no valid token learns nothing (R62)', async () => {
    const { headers } = await raw('/v1/snapshot');
    for (const authorization of ['', 'Bearer nobodys-token', 'Basic eDp5']) {
      const answer = await raw('/v1/snapshot', { 'if-none-match': String(headers.etag), authorization });
      expect([answer.status, answer.headers.etag, answer.headers['content-type']]).toEqual([401, undefined, expect.stringContaining('application/problem+json')]);
    }
  });
});

describe('R55 Sluice-Published-Age', () => {
  it('is the time since the commit, on each 200 as of then', async () => {
    const writtenMs = performance.now();
    await plane.put('/v1/rules/r1', { plan: 'free', endpoint: '/things/1', limit: 7, window_seconds: 1 }, { ifMatch: '*' });
    const ageOf = async (): Promise<[number, number]> => {
      const answer = await plane.call('/v1/snapshot');
      return [Number(answer.headers.get('sluice-published-age') ?? Number.NaN), performance.now() - writtenMs];
    };
    for (const waitMs of [0, 300, 300]) {
      await new Promise((resolve) => setTimeout(resolve, waitMs));
      const [age, elapsed] = await ageOf();
      expect(age).toBeLessThanOrEqual(elapsed + 5);
      expect(age).toBeGreaterThan(elapsed - 250);
    }
  });
});
