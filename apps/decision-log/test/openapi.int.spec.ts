import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { createLogger, InProcessBus, loadConfig } from '@sluice/platform';
import { DECISION_LOG_CONFIG } from '../src/config/decision-log-config.js';
import { createDecisionLog, type RunningDecisionLog } from '../src/create-decision-log.js';
import type { DecisionStore } from '../src/store/decision-store.js';
import { openDecisionStore } from '../src/store/open-decision-store.js';

interface Operation {
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly security?: readonly object[];
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly description?: string; readonly schema?: object }[];
  readonly responses: Readonly<Record<string, { readonly description: string; readonly headers?: Readonly<Record<string, { readonly description?: string }>> }>>;
}

const text = await readFile(join(import.meta.dirname, '../openapi.json'), 'utf8');
const document = JSON.parse(text) as {
  readonly openapi: string;
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
};
const operations = Object.entries(document.paths).flatMap(([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ path, method, operation })));

describe('R63 the OpenAPI document of the decision log', () => {
  let dir: string;
  let store: DecisionStore;
  let bus: InProcessBus;
  let service: RunningDecisionLog;

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'sluice-decisions-'));
    const logger = createLogger({ app: 'test', level: 'silent' });
    const config = loadConfig(DECISION_LOG_CONFIG, { SLUICE_ADMIN_URL: 'http://127.0.0.1:1', SLUICE_ADMIN_TOKEN: 'no-such-token', SLUICE_DECISION_LOG_DIR: dir, SLUICE_DECISION_LOG_HOST: '127.0.0.1', SLUICE_DECISION_LOG_PORT: '0' });
    store = await openDecisionStore(config, logger);
    bus = new InProcessBus(logger);
    service = await createDecisionLog({ config, store, bus, logger });
  });

  afterAll(async () => {
    await service.close();
    await bus.close();
    await store.close();
    await rm(dir, { recursive: true, force: true });
  });

  it('is what is committed: else run npm run openapi:write -w @sluice-app/decision-log', async () => {
    expect(await (await fetch(`${service.url}/openapi.json`)).json()).toEqual(document);
  });

  it('is valid OpenAPI 3.1', async () => {
    expect(document.openapi).toBe('3.1.0');
    expect(await new Validator().validate(JSON.parse(text) as Record<string, unknown>)).toEqual({ valid: true });
  });

  it('refers to nothing that is not there, and holds nothing that nobody refers to', () => {
    const referred = new Set([...text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(([, name]) => name));
    expect([...referred].sort()).toEqual(Object.keys(document.components.schemas).sort());
  });

  it('has every route of the API, and no other', () => {
    const routed = service.routes.flatMap(({ method, url }) => (url.startsWith('/v1/') && method !== 'HEAD' ? [`${method.toLowerCase()} ${url.replaceAll('::', ':').replace(/:(\w+_id)(?:\([^)]*\))?/g, '{$1}')}`] : []));
    expect(routed.sort()).toEqual(operations.flatMap(({ path, method }) => (path.startsWith('/v1/') ? [`${method} ${path}`] : [])).sort());
  });

  it('names operations apart', () => {
    expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(operations.length);
  });

  it.each(operations.map(({ path, operation }) => [operation.operationId, path, operation] as const))('%s has a summary, a known tag, a success, described parameters, headers and answers; in the API 401, 503 and roles', (_id, path, operation) => {
    expect(operation.summary ?? '').not.toBe('');
    expect(operation.tags ?? []).not.toHaveLength(0);
    expect(document.tags.map(({ name }) => name)).toEqual(expect.arrayContaining([...(operation.tags ?? [])]));
    const statuses = Object.keys(operation.responses);
    expect(statuses.some((status) => status.startsWith('2'))).toBe(true);
    if (path.startsWith('/v1')) {
      expect(statuses).toEqual(expect.arrayContaining(['401', '403', '503']));
      expect(operation.security ?? []).not.toHaveLength(0);
      expect(operation.description).toContain('Takes the role');
    } else expect(operation.security).toEqual([]);
    for (const response of Object.values(operation.responses)) {
      expect(response.description).not.toBe('');
      for (const [name, header] of Object.entries(response.headers ?? {})) expect([name, header.description ?? '']).not.toEqual([name, '']);
    }
    for (const { in: place, name, description, schema } of operation.parameters ?? []) {
      expect([place, name, schema !== undefined]).toEqual([place, name, true]);
      if (place !== 'path') expect([name, description ?? '']).not.toEqual([name, '']);
    }
  });

  it('Swagger UI is served, with its assets and a place for the token', async () => {
    expect(await (await fetch(`${service.url}/docs`)).text()).toContain('swagger-ui');
    expect((await fetch(`${service.url}/docs/swagger-ui-bundle.js`)).status).toBe(200);
    expect(await (await fetch(`${service.url}/docs/swagger-ui-init.js`)).text()).toContain('"scheme": "bearer"');
  });
});
