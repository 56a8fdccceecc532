import { ProblemException } from '@sluice/platform';
import type { Caller } from './caller.js';
import { ownOnly } from './own-only.js';

const RANGE = { fromMs: 0, toMs: 1 };
const tenant: Caller = { actor: 'token:t', role: 'tenant', tenantId: 'acme' };

describe('R82 a tenant sees its own only', () => {
  it.each(['viewer', 'editor', 'admin'] as const)('a %s sees what he asks for', (role) => {
    const filter = { ...RANGE, attributes: { tenant_id: 'other' } };
    expect(ownOnly({ actor: 'token:x', role, tenantId: undefined }, filter)).toBe(filter);
  });

  it('whatever else it asks for is narrowed', () => {
    expect(ownOnly(tenant, RANGE)).toEqual({ ...RANGE, attributes: { tenant_id: 'acme' } });
    expect(ownOnly(tenant, { ...RANGE, attributes: { key_id: 'k', tenant_id: 'acme' } })).toEqual({ ...RANGE, attributes: { key_id: 'k', tenant_id: 'acme' } });
  });

  it.each(['other', '', 'ACME'])('403 for tenant_id %j', (tenant_id) => {
    expect(() => ownOnly(tenant, { ...RANGE, attributes: { tenant_id } })).toThrow(ProblemException);
  });

  it('a token of a tenant without one is a fault, and sees nothing', () => {
    expect(() => ownOnly({ ...tenant, tenantId: undefined }, RANGE)).toThrow('has none');
  });
});
