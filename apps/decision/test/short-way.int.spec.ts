import { request } from 'node:http';
import fc from 'fast-check';
import { type Stage, startStage } from './running-decision.js';

/** What depends on the time of the question (a saturated counter is asked again now and then), or names it. */
const OF_THE_MOMENT = /"(checked_at|resetAfterSeconds|reset_after_seconds|retry_after_seconds|request_id|decision_id|decision_expires_at|source)":("[^"]*"|\d+)/g;
const FIELDS_OF_THE_MOMENT = ['date', 'x-request-id', 'x-ratelimit-reset', 'ratelimit', 'retry-after', 'keep-alive'];

interface Answer {
  readonly status: number | undefined;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** With a length a request may go the short way past Fastify; in chunks it goes through Fastify. */
function ask(stage: Stage, body: Buffer, way: 'length' | 'chunks'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const fields = { 'content-type': 'application/json', ...(way === 'length' ? { 'content-length': body.length } : { 'transfer-encoding': 'chunked' }) };
    const asking = request(`${stage.decision.url}/v1/ratelimit:check`, { method: 'POST', headers: fields }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('error', reject).on('end', () => {
        const kept = Object.entries(response.headers).filter(([name]) => !FIELDS_OF_THE_MOMENT.includes(name) && name !== 'content-length');
        resolve({ status: response.statusCode, fields: Object.fromEntries(kept), body: text.replaceAll(OF_THE_MOMENT, '"$1":0') });
      });
    });
    asking.on('error', reject).end(body);
  });
}

const key = fc.constantFrom('key_id', 'plan', 'endpoint', 'domain', '__proto__', 'constructor', 'ip', 'é', '');
const value = fc.oneof(fc.constantFrom('a', 'b', 'free', 'GET /x', '\ud800', '\u0000', '', 7, null), fc.string({ maxLength: 8, unit: 'grapheme' }));
const descriptor = fc.oneof({ weight: 6, arbitrary: fc.record({ key, value }) }, { weight: 1, arbitrary: fc.anything({ maxDepth: 1 }) });
const sound = fc.record({ domain: fc.constant('d'), descriptors: fc.tuple(fc.record({ key: fc.constant('key_id'), value: fc.constantFrom('a', 'b', 'ü', '"\\') })), cost: fc.constantFrom(0, 1, 2, 9), peek: fc.boolean() }, { requiredKeys: ['domain', 'descriptors'] });
const odd = fc.record(
  { domain: fc.constantFrom('d', '', 3, 'x'.repeat(129)), descriptors: fc.oneof(fc.array(descriptor, { maxLength: 4 }), fc.constant('no')), cost: fc.constantFrom(1, -1, 1.5, '1', null, 2 ** 53), peek: fc.constantFrom(true, 'yes'), reserve: fc.constantFrom(true, 1), more: fc.constant([[[]]]) },
  { requiredKeys: [] },
);
const text = fc.oneof(
  { weight: 5, arbitrary: sound.map((body) => JSON.stringify(body)) },
  { weight: 4, arbitrary: odd.map((body) => JSON.stringify(body)) },
  fc.tuple(sound, fc.nat({ max: 60 })).map(([body, at]) => JSON.stringify(body).slice(0, -at)),
  fc.constantFrom('{"domain":"d","domain":"e","descriptors":[{"key":"key_id","value":"a"}]}', '\ufeff{}', '[]', 'null', '[[[['.repeat(50), '{"domain":"d","descriptors":[{"key":"key_id","value":"a"}],"__proto__":{}}', ' {"domain" : "d", "descriptors" : [ {"key":"key_id","value":"\\u0061"} ] }\n', '{"domain":"d","descriptors":[{"key":"key_id","value":"\\ud800"}]}', '{"domain":"d","descriptors":[{"key":"key_id","value":"a"}],"cost":1e0}'),
);
const body = fc.oneof({ weight: 9, arbitrary: text.map((each) => Buffer.from(each)) }, { weight: 1, arbitrary: fc.uint8Array({ minLength: 1, maxLength: 40 }).map((bytes) => Buffer.concat([Buffer.from('{"domain":"'), bytes, Buffer.from('"}')])) });

describe('R72 the short way to a check', () => {
  let short: Stage;
  let long: Stage;

  beforeAll(async () => {
    const rules = [
      { rule_id: 'few', version: 1, domain: 'd', limit: 40, window_seconds: 86_400, algorithm: 'fixed_window' },
      { rule_id: 'more', version: 1, domain: 'd', policy: 'more', limit: 60, window_seconds: 86_400, algorithm: 'fixed_window', mode: 'shadow' },
    ] as const;
    [short, long] = await Promise.all([startStage({ rules }), startStage({ rules })]);
  });

  afterAll(() => Promise.all([short.close(), long.close()]));

  it('answers any body as the route in Fastify does, to the byte', async () => {
    const statuses = new Set<number | undefined>();
    await fc.assert(
      fc.asyncProperty(body, async (bytes) => {
        const [a, b] = await Promise.all([ask(short, bytes, 'length'), ask(long, bytes, 'chunks')]);
        expect(a).toEqual(b);
        statuses.add(a.status);
      }),
      { seed: 72, numRuns: 600 },
    );
    expect(statuses).toEqual(new Set([200, 400]));
  });
});
