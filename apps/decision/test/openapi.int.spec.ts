import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { createLimiter, memoryStore, systemClock } from '@sluice/limiter';
import { adminKeySource, createKeyDirectory } from '@sluice/middleware';
import { compileSnapshot } from '@sluice/rules';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { fastify } from 'fastify';
import { addRoutes } from '../src/add-routes.js';
import { readCheck } from '../src/check/check-request.js';
import { Faults } from '../src/input/faults.js';
import { DECISION_DOCUMENT } from '../src/openapi/decision-document.js';
import { ask, askJson, checkOf, documented } from './asking.js';
import { type Stage, startStage } from './running-decision.js';

interface Operation {
  readonly operationId: string;
  readonly summary?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly { readonly name: string; readonly description?: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly examples?: Readonly<Record<string, { readonly value: unknown }>>; readonly schema: { readonly $ref: string } }>> };
  readonly responses: Readonly<Record<string, { readonly description: string; readonly headers?: Readonly<Record<string, { readonly description?: string }>> }>>;
}

const text = await readFile(join(import.meta.dirname, '../openapi.json'), 'utf8');
const { paths } = JSON.parse(text) as { readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> };
const operations = Object.values(paths).flatMap((methods) => Object.values(methods));

describe('R63 the OpenAPI document of decisions', () => {
  it('is what is committed: else run npm run openapi:write -w @sluice-app/decision', () => {
    expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(DECISION_DOCUMENT)));
  });

  it('is valid OpenAPI 3.1', async () => {
    expect(await new Validator().validate(JSON.parse(text) as Record<string, unknown>)).toEqual({ valid: true });
  });

  it('refers to nothing that is not there, and holds nothing that nobody refers to', () => {
    const referred = new Set([...text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(([, name]) => name));
    expect([...referred].sort()).toEqual(Object.keys(DECISION_DOCUMENT.components?.schemas ?? {}).sort());
  });

  it('has an operation for every route, and no other', async () => {
    const limiter = createLimiter({ store: memoryStore(systemClock()), rules: compileSnapshot({ version: 1, plans: [], rules: [], overrides: [] }), clock: systemClock() });
    const keys = createKeyDirectory({ source: adminKeySource({ url: 'http://127.0.0.1:1', token: undefined }), ttlMs: 1 });
    const routes = new Set<string>();
    const app = fastify();
    app.addHook('onRoute', ({ url, method }) => {
      for (const name of Array.isArray(method) ? method : [method]) routes.add(`${name.toLowerCase()} ${url.replaceAll('::', ':')}`);
    });
    addRoutes(app, { limiter, keys, observe: () => undefined, stream: undefined, mayAsk: () => true, loaded: (_request, _reply, done) => done(), stopping: () => false, trust: 'none', logger: { warn: () => undefined } });
    await app.ready();
    await app.close();
    await limiter.close();
    const documentedRoutes = Object.entries(paths).flatMap(([path, methods]) => (path.startsWith('/v1/') ? Object.keys(methods).map((method) => `${method} ${path}`) : []));
    // Fastify answers HEAD wherever there is GET.
    expect(routes.delete('head /v1/limits')).toBe(true);
    // Forward-auth answers any method, and OpenAPI 3.1 has words for eight.
    const sayable = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'].map((method) => `${method} /v1/authorize`));
    const unsaid = [...routes].filter((route) => route.endsWith(' /v1/authorize') && !sayable.has(route));
    expect(unsaid).toEqual(expect.arrayContaining(['query /v1/authorize', 'propfind /v1/authorize']));
    for (const route of unsaid) routes.delete(route);
    expect([...routes].sort()).toEqual(documentedRoutes.sort());
  });

  it('keeps the operation ids that clients are generated from: one that goes or changes its name is a breaking change', () => {
    expect(operations.map(({ operationId }) => operationId).sort()).toEqual(
      ['authorizeDelete', 'authorizeGet', 'authorizeHead', 'authorizeOptions', 'authorizePatch', 'authorizePost', 'authorizePut', 'authorizeTrace', 'checkRateLimit', 'checkRateLimits', 'getHealth', 'getMetrics', 'getReadiness', 'listLimits', 'refundReservation', 'settleReservation'],
    );
  });

  it.each(operations.map((operation) => [operation.operationId, operation] as const))('%s has a summary, a known tag, described parameters, headers and answers, and examples that fit', (_id, operation) => {
    expect(operation.summary ?? '').not.toBe('');
    expect(DECISION_DOCUMENT.tags?.map(({ name }) => name)).toEqual(expect.arrayContaining([...(operation.tags ?? ['none'])]));
    for (const { description, headers } of Object.values(operation.responses)) {
      expect(description).not.toBe('');
      for (const [name, header] of Object.entries(headers ?? {})) expect([name, header.description ?? '']).not.toEqual([name, '']);
    }
    for (const { name, description } of operation.parameters ?? []) expect([name, description ?? '']).not.toEqual([name, '']);
    const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema(JSON.parse(text) as object, 'openapi');
    for (const { examples, schema } of Object.values(operation.requestBody?.content ?? {})) {
      const fits = ajv.compile({ $ref: `openapi${schema.$ref}` });
      expect(Object.keys(examples ?? {})).not.toEqual([]);
      for (const { value } of Object.values(examples ?? {})) expect([fits(value), fits.errors]).toEqual([true, null]);
    }
  });

  it('says of bodies what the code says', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema(JSON.parse(text) as object, 'openapi');
    const fits = ajv.compile({ $ref: 'openapi#/components/schemas/CheckRequest' });
    const good = checkOf({ plan: 'free' });
    const bodies: unknown[] = [good, { ...good, cost: 0 }, { ...good, cost: -1 }, { ...good, cost: 1.5 }, { ...good, cost: 2 ** 53 }, { ...good, more: 1 }, { ...good, domain: '' }, { ...good, descriptors: [] }, { ...good, peek: 1 }, { ...good, reserve: true, reserve_seconds: 0 }, { ...good, reserve: true, reserve_seconds: 86_401 }, { domain: 'api', descriptors: [{ key: '', value: 'a' }] }, { domain: 'api', descriptors: [{ key: 'a', value: 'a', c: 1 }] }, [], null];
    expect(bodies.map((body) => fits(body))).toEqual(bodies.map((body) => readCheck(body, [], new Faults()) !== undefined));
  });
});

describe('R63 the document, served', () => {
  let stage: Stage;
  const at = (path: string): string => `${stage.decision.url}${path}`;
  beforeAll(async () => (stage = await startStage({ rules: [{ rule_id: 'r', version: 1, plan: 'free', limit: 1, window_seconds: 60 }], config: { tokens: ['decision-token'] } })));
  afterAll(() => stage.close());

  it('is at /openapi.json, and Swagger UI with its assets at /docs', async () => {
    expect(await (await fetch(at('/openapi.json'))).json()).toEqual(JSON.parse(text));
    expect(await (await fetch(at('/docs'))).text()).toContain('swagger-ui');
    expect((await fetch(at('/docs/swagger-ui-bundle.js'))).status).toBe(200);
  });

  it('is kept by answers of every kind', async () => {
    const token = { Authorization: 'Bearer decision-token' };
    for (const action of ['check', 'batch', 'settle', 'refund']) {
      const path = at(`/v1/ratelimit:${action}`);
      expect((await askJson(path, {})).status).toBe(401);
      expect((await askJson(path, {}, token)).status).toBe(400);
      expect((await askJson(path, '{', token)).status).toBe(400);
      expect((await askJson(path, 'a=b', { ...token, 'Content-Type': 'text/plain' })).status).toBe(415);
      expect((await askJson(path, 'x'.repeat(1_100_000), token)).status).toBe(413);
    }
    for (const code of ['OK', 'OVER_LIMIT']) expect((await askJson(at('/v1/ratelimit:check'), checkOf({ plan: 'free', key_id: 'k' }), token)).body['overallCode']).toBe(code);
    expect((await ask(at('/v1/limits'), { headers: { 'X-Api-Key': 'demo-free' } })).status).toBe(200);
    expect((await ask(at('/v1/limits'), { headers: { 'X-Api-Key': 'nobody' } })).status).toBe(401);
    expect((await ask(at('/v1/limits?x=1'), { headers: { 'X-Api-Key': 'demo-free' } })).status).toBe(400);
    const proxied = { ...token, 'X-Original-URI': '/a', 'X-Original-Method': 'GET', 'X-Api-Key': 'demo-free' };
    for (const [query, status] of [['', 200], ['', 429], ['?deny_status=403', 403], ['?deny_status=401', 401], ['?x=1', 400]] as const) {
      expect((await ask(at(`/v1/authorize${query}`), { headers: proxied })).status).toBe(status);
    }
    expect((await ask(at('/v1/authorize'), { headers: { ...proxied, 'X-Api-Key': 'nobody' } })).status).toBe(401);
    expect((await ask(at('/v1/authorize'))).status).toBe(401);
    for (const path of ['/healthz', '/readyz', '/metrics']) expect((await ask(at(path))).status).toBe(200);
    expect(documented.seen.size).toBeGreaterThan(25);
  });
});
