import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Answer, type Call, type ControlPlane, startControlPlane } from './control-plane.js';

interface Operation {
  readonly operationId: string;
  readonly summary?: string;
  readonly security?: unknown[];
  readonly responses: Readonly<Record<string, { readonly description: string; readonly headers?: Readonly<Record<string, unknown>>; readonly content?: Readonly<Record<string, { readonly schema: object }>> }>>;
}

interface Document {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

let plane: ControlPlane;
let document: Document;
beforeAll(async () => {
  plane = await startControlPlane();
  document = (await plane.call('/openapi.json', { token: null })).body as unknown as Document;
}, 60_000);
afterAll(() => plane.close());

describe('R63 OpenAPI from the code', () => {
  it('is what is committed: else run npm run openapi:write -w @sluice-app/rules-admin', async () => {
    const committed: unknown = JSON.parse(await readFile(join(import.meta.dirname, '../openapi.json'), 'utf8'));
    expect(document).toEqual(committed);
  });

  it('is 3.1, every operation with an id of its own, a summary and a success; all of /v1 with 401 and 503', () => {
    expect(document.openapi).toBe('3.1.0');
    const operations = Object.entries(document.paths).flatMap(([path, methods]) => Object.values(methods).map((operation) => ({ path, operation })));
    expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(operations.length);
    for (const { path, operation } of operations) {
      const statuses = Object.keys(operation.responses);
      expect([operation.operationId, operation.summary === undefined, statuses.some((status) => status.startsWith('2'))]).toEqual([operation.operationId, false, true]);
      if (path.startsWith('/v1')) expect(statuses).toEqual(expect.arrayContaining(['401', '503']));
      else expect(operation.security).toEqual([]);
    }
  });

  it('Swagger UI is served, with its assets and a place for the token', async () => {
    const page = await plane.call('/docs', { token: null });
    expect(page.text).toContain('swagger-ui');
    expect((await plane.call('/docs/swagger-ui-bundle.js', { token: null })).status).toBe(200);
    expect((await plane.call('/docs/swagger-ui-init.js', { token: null })).text).toContain('"scheme": "bearer"');
  });

  it('every answer of every operation is as the document says', async () => {
    async function check(method: string, path: string, template: string, call: Omit<Call, 'method'> = {}): Promise<Answer> {
      const answer = await plane.call(path, { ...call, method });
      const operation = document.paths[template]?.[method.toLowerCase()];
      expect([method, template, answer.status, plane.documented.seen.has(`${operation?.operationId} ${answer.status}`)]).toEqual([method, template, answer.status, true]);
      return answer;
    }

    const resources = [
      ['plans', 'plan_id', { name: 'Free', default_limit: { limit: 60, window_seconds: 60 } }, { name: 5 }],
      ['tenants', 'tenant_id', { name: 'Acme', plan_id: 'x1' }, { name: 'Acme' }],
      ['rules', 'rule_id', { plan: 'x1', endpoint: 'GET /a/{b}', limit: 5, window_seconds: 1, descriptors: { a: '*' }, count_by: ['ip'] }, { limit: 0 }],
    ] as const;
    for (const [name, id, good, bad] of resources) {
      const template = `/v1/${name}/{${id}}`;
      await check('PUT', `/v1/${name}/x1`, template, { json: good, ifNoneMatch: '*' });
      await check('PUT', `/v1/${name}/x1`, template, { json: good, ifMatch: '"v1"' });
      await check('PUT', `/v1/${name}/x1`, template, { json: good });
      await check('PUT', `/v1/${name}/x1`, template, { json: bad, ifMatch: '"v1"' });
      await check('PUT', `/v1/${name}/x1`, template, { json: good, token: null });
      await check('PUT', `/v1/${name}/x1`, template, { raw: 'x'.repeat(70_000) });
      await check('PUT', `/v1/${name}/x1`, template, { raw: 'x', headers: { 'content-type': 'text/plain' } });
      const shown = await check('GET', `/v1/${name}/x1`, template);
      await check('GET', `/v1/${name}/x1`, template, { ifNoneMatch: shown.etag ?? '' });
      await check('GET', `/v1/${name}/none`, template);
      await check('GET', `/v1/${name}/a%20b`, template);
      const list = await check('GET', `/v1/${name}`, `/v1/${name}`);
      await check('GET', `/v1/${name}`, `/v1/${name}`, { ifNoneMatch: list.etag ?? '' });
      await check('GET', `/v1/${name}?limit=0`, `/v1/${name}`);
      await check('GET', `/v1/${name}`, `/v1/${name}`, { token: 'nope-nope' });
    }
    await check('PUT', '/v1/rules/x2', '/v1/rules/{rule_id}', { json: resources[2][2], ifNoneMatch: '*' });
    await check('PUT', '/v1/rules/hidden', '/v1/rules/{rule_id}', { json: { limit: 5, window_seconds: 1, count_by: ['user_id'] }, ifNoneMatch: '*' });
    const hiding = await check('PUT', '/v1/rules/hiding', '/v1/rules/{rule_id}', { json: { limit: 5, window_seconds: 1, count_by: ['user_id'], descriptors: { user_id: '*' } }, ifNoneMatch: '*' });
    expect(hiding.body['warnings']).toHaveLength(1);
    expect([...plane.documented.seen]).toContain('putRule 409');
    const created = await check('POST', '/v1/keys', '/v1/keys', { json: { tenant_id: 'x1', name: 'K', key_id: 'k1' } });
    await check('POST', '/v1/keys', '/v1/keys', { json: { tenant_id: 'x1', name: 'K', key_id: 'k1' } });
    await check('POST', '/v1/keys', '/v1/keys', { json: {} });
    const keyHash = createHash('sha256').update(String(created.body['secret'])).digest('hex');
    await check('POST', '/v1/keys:lookup', '/v1/keys:lookup', { json: { key_hash: keyHash } });
    await check('POST', '/v1/keys:lookup', '/v1/keys:lookup', { json: { key_hash: '0'.repeat(64) } });
    await check('POST', '/v1/keys:lookup', '/v1/keys:lookup', { json: {} });
    const keys = await check('GET', '/v1/keys', '/v1/keys');
    await check('GET', '/v1/keys', '/v1/keys', { ifNoneMatch: keys.etag ?? '' });
    await check('GET', '/v1/keys/k1', '/v1/keys/{key_id}');
    await check('PATCH', '/v1/keys/k1', '/v1/keys/{key_id}', { json: { disabled: true }, ifMatch: '"v1"' });
    await check('PATCH', '/v1/keys/k1', '/v1/keys/{key_id}', { json: { disabled: true } });
    await check('PATCH', '/v1/keys/none', '/v1/keys/{key_id}', { json: {}, ifMatch: '*' });
    const whole = await check('GET', '/v1/snapshot', '/v1/snapshot');
    await check('GET', `/v1/snapshot?since=${String(whole.body['version'])}`, '/v1/snapshot');
    await check('GET', '/v1/snapshot', '/v1/snapshot', { ifNoneMatch: whole.etag ?? '' });
    await check('GET', '/v1/snapshot?since=x', '/v1/snapshot');
    await check('DELETE', '/v1/plans/x1', '/v1/plans/{plan_id}', { ifMatch: '*' });
    for (const [path, template] of [['rules/x1', 'rules/{rule_id}'], ['keys/k1', 'keys/{key_id}'], ['tenants/x1', 'tenants/{tenant_id}'], ['plans/x1', 'plans/{plan_id}']]) {
      await check('DELETE', `/v1/${path}`, `/v1/${template}`);
      await check('DELETE', `/v1/${path}`, `/v1/${template}`, { ifMatch: '*' });
      await check('DELETE', `/v1/${path}`, `/v1/${template}`, { ifMatch: '*' });
    }
    for (const path of ['/healthz', '/readyz', '/metrics']) await check('GET', path, path, { token: null });
    expect(plane.documented.seen.size).toBeGreaterThan(75);
  }, 30_000);
});
