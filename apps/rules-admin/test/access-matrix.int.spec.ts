import { type ControlPlane, startControlPlane } from './control-plane.js';

/**
 * Who may use which route, in full (R62). A new route fails here until it has its line: `METHOD path`, as the router has it without patterns of parameters, and
 * all callers that it opens to.
 */
const ROUTES: Readonly<Record<string, string>> = {
  'GET /v1/plans': 'viewer editor admin',
  'GET /v1/plans/:plan_id': 'viewer editor admin',
  'PUT /v1/plans/:plan_id': 'editor admin',
  'DELETE /v1/plans/:plan_id': 'editor admin',
  'GET /v1/tenants': 'viewer editor admin',
  'GET /v1/tenants/:tenant_id': 'viewer editor admin',
  'PUT /v1/tenants/:tenant_id': 'editor admin',
  'DELETE /v1/tenants/:tenant_id': 'editor admin',
  'GET /v1/keys': 'viewer editor admin',
  'POST /v1/keys': 'editor admin',
  'POST /v1/keys:lookup': 'node admin',
  'GET /v1/keys/:key_id': 'viewer editor admin',
  'PATCH /v1/keys/:key_id': 'editor admin',
  'POST /v1/keys/:key_id:rotate': 'editor admin',
  'DELETE /v1/keys/:key_id': 'editor admin',
  'GET /v1/rules': 'viewer editor admin',
  'GET /v1/rules/:rule_id': 'viewer editor admin',
  'PUT /v1/rules/:rule_id': 'editor admin',
  'DELETE /v1/rules/:rule_id': 'editor admin',
  'POST /v1/rules/:rule_id:rollback': 'editor admin',
  'POST /v1/rules:apply': 'editor admin',
  'GET /v1/rules/:rule_id/proposal': 'viewer editor admin',
  'PUT /v1/rules/:rule_id/proposal': 'editor admin',
  'DELETE /v1/rules/:rule_id/proposal': 'editor admin',
  'POST /v1/rules/:rule_id/proposal:promote': 'editor admin',
  'POST /v1/rules/:rule_id:promote': 'editor admin',
  'GET /v1/rules/:rule_id/shadow-report': 'viewer editor admin',
  'POST /v1/shadow-counts': 'node admin',
  'POST /v1/overrides': 'editor admin',
  'GET /v1/overrides': 'viewer editor admin',
  'GET /v1/overrides/:override_id': 'viewer editor admin',
  'PATCH /v1/overrides/:override_id': 'editor admin',
  'DELETE /v1/overrides/:override_id': 'editor admin',
  'GET /v1/snapshot': 'node viewer editor admin',
  'GET /v1/audit': 'viewer editor admin',
  'GET /v1/plans/:plan_id/history': 'viewer editor admin',
  'GET /v1/plans/:plan_id/history/:version': 'viewer editor admin',
  'GET /v1/tenants/:tenant_id/history': 'viewer editor admin',
  'GET /v1/tenants/:tenant_id/history/:version': 'viewer editor admin',
  'GET /v1/keys/:key_id/history': 'viewer editor admin',
  'GET /v1/keys/:key_id/history/:version': 'viewer editor admin',
  'GET /v1/overrides/:override_id/history': 'viewer editor admin',
  'GET /v1/overrides/:override_id/history/:version': 'viewer editor admin',
  'GET /v1/rules/:rule_id/history': 'viewer editor admin',
  'GET /v1/rules/:rule_id/history/:version': 'viewer editor admin',
  'POST /v1/explain': 'viewer editor admin',
  'GET /v1/tokens': 'admin',
  'POST /v1/tokens': 'admin',
  'GET /v1/tokens/:name': 'admin',
  'DELETE /v1/tokens/:name': 'admin',
  'GET /v1/tokens:self': 'tenant node viewer editor admin',
};

/** What anybody may see; the platform adds the first three, before there is a door. */
const OPEN = ['GET /healthz', 'GET /readyz', 'GET /metrics', 'GET /openapi.json', 'GET /docs'];

const CALLERS = ['nobody', 'stranger', 'tenant', 'node', 'viewer', 'editor', 'admin'] as const;

/** `GET /v1/rules/:rule_id`, whatever pattern bounds the parameter; two colons are one. */
function nameOf(method: string, url: string): string {
  return `${method} ${url.replaceAll(/(:\w+)\((?:[^()]|\([^()]*\))*\)/g, '$1').replaceAll('::', ':')}`;
}

function pathOf(name: string): string {
  return (name.split(' ')[1] ?? '').replaceAll(/\/:\w+/g, '/x');
}

let plane: ControlPlane;
/** Of a tenant only an issued token can be. */
let tenantsToken: string;
beforeAll(async () => {
  const tokens = (['admin', 'editor', 'viewer', 'node'] as const).map((role) => ({ token: `token-of-${role}`, role, loopbackOnly: false }));
  plane = await startControlPlane({ tokens, loginFailuresPerMinute: 100_000 });
  const admin = { token: 'token-of-admin', method: 'PUT', json: {}, ifNoneMatch: '*' };
  await plane.call('/v1/plans/matrix', admin);
  await plane.call('/v1/tenants/matrix', { ...admin, json: { name: 'Matrix', plan_id: 'matrix' } });
  tenantsToken = String((await plane.call('/v1/tokens', { token: 'token-of-admin', method: 'POST', json: { name: 'matrix', role: 'tenant', tenant_id: 'matrix' } })).body['token']);
}, 60_000);
afterAll(() => plane.close());

describe('R62 who may use which route', () => {
  it('every route of the router is in the table, or among the few that are open to anybody', () => {
    const guarded = plane.admin.routes.filter(({ roles }) => roles !== undefined).map(({ method, url }) => nameOf(method, url));
    const open = plane.admin.routes.filter(({ roles }) => roles === undefined).map(({ method, url }) => nameOf(method, url));
    expect([...guarded].sort()).toEqual([...Object.keys(ROUTES), ...Object.keys(ROUTES).filter((name) => name.startsWith('GET ')).map((name) => name.replace('GET', 'HEAD'))].sort());
    expect(open.filter((name) => !name.startsWith('HEAD ') && !name.startsWith('GET /docs/') && !OPEN.includes(name))).toEqual([]);
  });

  it.each(Object.entries(ROUTES))('%s: %s', async (name, opensTo) => {
    const method = name.split(' ')[0] ?? '';
    const json = ['PUT', 'POST', 'PATCH'].includes(method) ? { json: {} } : {};
    for (const each of method === 'GET' ? ['GET', 'HEAD'] : [method]) {
      for (const caller of CALLERS) {
        const token = caller === 'nobody' ? null : caller === 'tenant' ? tenantsToken : `token-of-${caller}`;
        const { status, headers, body } = await plane.call(pathOf(name), { method: each, token, ...json });
        const outcome = status === 401 ? 'unknown' : status === 403 ? 'forbidden' : 'open';
        const expected = caller === 'nobody' || caller === 'stranger' ? 'unknown' : opensTo.split(' ').includes(caller) ? 'open' : 'forbidden';
        expect([each, caller, outcome]).toEqual([each, caller, expected]);
        if (outcome === 'open') continue;
        expect(headers.get('content-type')).toMatch('application/problem+json');
        if (each !== 'HEAD') expect(body['type']).toBe(`urn:sluice:problem:${outcome === 'unknown' ? 'unauthorized' : 'forbidden'}`);
        const error = caller === 'nobody' ? '' : `, error="${outcome === 'unknown' ? 'invalid_token' : 'insufficient_scope'}"`;
        expect(headers.get('www-authenticate')).toBe(`Bearer realm="sluice-admin"${error}`);
      }
    }
  });

  it('the OpenAPI document says the same', async () => {
    const { body } = await plane.call('/openapi.json', { token: null });
    const paths = body['paths'] as Record<string, Record<string, { 'x-sluice-roles'?: string[]; security?: Record<string, string[]>[] }>>;
    const documented = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => [nameOf(method.toUpperCase(), path.replaceAll(/\{(\w+)\}/g, ':$1')), operation] as const),
    );
    for (const [name, operation] of documented) {
      const opensTo = ROUTES[name];
      if (opensTo === undefined) {
        expect([name, OPEN.includes(name), operation.security]).toEqual([name, true, []]);
        continue;
      }
      const roles = operation['x-sluice-roles'] ?? [];
      expect([name, roles.length > 0 && roles.every((role) => opensTo.split(' ').includes(role))]).toEqual([name, true]);
      expect([name, operation.security]).toEqual([name, roles.flatMap((role) => [{ token: [role] }, { oidc: [role] }])]);
    }
    expect(documented.map(([name]) => name).filter((name) => ROUTES[name] !== undefined).sort()).toEqual(Object.keys(ROUTES).sort());
  });
});
