import { readVerdict } from './read-verdict.js';

const SELF = { actor: 'token:x', role: 'viewer', tenant_id: null, expires_at: null };

describe('R62 what the control plane says of a token', () => {
  it.each<[string, object, object]>([
    ['a viewer', SELF, { role: 'viewer', tenantId: undefined }],
    ['an admin', { ...SELF, role: 'admin' }, { role: 'admin', tenantId: undefined }],
    ['a tenant', { ...SELF, role: 'tenant', tenant_id: 'acme' }, { role: 'tenant', tenantId: 'acme' }],
    ['one of a later version, with more fields', { ...SELF, scope: 'all' }, { role: 'viewer' }],
  ])('knows %s', (_who, body, caller) => {
    expect(readVerdict(200, body)).toMatchObject({ status: 'known', caller: { actor: 'token:x', ...caller }, expiresAtMs: Infinity });
  });

  it('knows until when', () => {
    expect(readVerdict(200, { ...SELF, expires_at: '2030-01-31T12:00:00.000Z' })).toMatchObject({ expiresAtMs: Date.UTC(2030, 0, 31, 12) });
  });

  it.each([
    { ...SELF, role: 'node' },
    { ...SELF, role: 'auditor' },
    { ...SELF, role: 'tenant' },
    { ...SELF, role: 'viewer', tenant_id: 'acme' },
  ])('%j has no role here', (body) => {
    expect(readVerdict(200, body)).toEqual({ status: 'no_role', actor: 'token:x' });
  });

  it.each<[number, unknown]>([
    [200, undefined],
    [200, 'viewer'],
    [200, []],
    [200, { ...SELF, actor: undefined }],
    [200, { ...SELF, role: ['admin'] }],
    [200, { ...SELF, tenant_id: undefined }],
    [200, { ...SELF, tenant_id: 5 }],
    [200, { ...SELF, expires_at: undefined }],
    [200, { ...SELF, expires_at: 'tomorrow' }],
    [204, SELF],
    [302, SELF],
    [404, undefined],
    [500, undefined],
    [503, undefined],
    [503, 'busy'],
    [503, { type: 'urn:sluice:problem:database-unavailable' }],
    [502, { type: 'urn:sluice:problem:issuer-unavailable' }],
  ])('%i with %j is no answer', (status, body) => {
    expect(readVerdict(status, body)).toEqual({ status: 'away', why: expect.any(String) });
  });

  it('503 about this token alone is no outage', () => {
    expect(readVerdict(503, { type: 'urn:sluice:problem:issuer-unavailable', status: 503 })).toEqual({ status: 'issuer_away' });
  });

  it.each<[number, string]>([
    [401, 'unknown'],
    [403, 'no_role'],
    [429, 'throttled'],
  ])('%i: %s', (status, verdict) => {
    expect(readVerdict(status, undefined)).toMatchObject({ status: verdict });
  });
});
