import { loadEnvironment, rulesAdminConfig } from './config.js';

const NEEDED = { SLUICE_DATABASE_URL: 'postgres://localhost/sluice', SLUICE_ADMIN_TOKEN: 'an-admin-token' };

function faultsOf(env: Record<string, string>): string {
  try {
    loadEnvironment(env);
  } catch (error) {
    return String(error);
  }
  return '';
}

describe('R62 access in the environment', () => {
  it('an OIDC issuer with its audience, claim and map', () => {
    const config = rulesAdminConfig(
      loadEnvironment({
        ...NEEDED,
        SLUICE_OIDC_ISSUER: 'https://login.acme.example/realms/ops',
        SLUICE_OIDC_AUDIENCE: 'sluice,sluice-cli',
        SLUICE_OIDC_ROLE_CLAIM: 'realm_access.roles',
        SLUICE_OIDC_ROLE_MAP: 'sluice-admins=admin, cn=ops=viewer',
      }),
    );
    expect(config.oidc).toEqual({
      issuer: 'https://login.acme.example/realms/ops',
      audiences: ['sluice', 'sluice-cli'],
      jwksUrl: undefined,
      roleClaim: 'realm_access.roles',
      roleMap: new Map([['sluice-admins', 'admin'], ['cn=ops', 'viewer']]),
    });
    expect(rulesAdminConfig(loadEnvironment(NEEDED)).oidc).toBeUndefined();
  });

  it('all or none, every fault at once, together with the others', () => {
    expect(faultsOf({ ...NEEDED, SLUICE_OIDC_ROLE_MAP: 'x=admin' })).toMatch(/2 faults[^]*SLUICE_OIDC_ISSUER is required where SLUICE_OIDC_ROLE_MAP is set[^]*SLUICE_OIDC_AUDIENCE is required/);
    expect(faultsOf({ ...NEEDED, SLUICE_OIDC_AUDIENCE: 'sluice', SLUICE_ADMIN_PORT: 'x' })).toMatch(/2 faults[^]*SLUICE_ADMIN_PORT[^]*SLUICE_OIDC_ISSUER is required/);
  });

  it.each([
    ['SLUICE_OIDC_ISSUER', 'http://login.acme.example'],
    ['SLUICE_OIDC_ISSUER', 'https://user:secret@login.acme.example'],
    ['SLUICE_OIDC_ISSUER', 'login.acme.example'],
    ['SLUICE_OIDC_JWKS_URL', 'http://login.acme.example/keys'],
    ['SLUICE_OIDC_JWKS_URL', 'file:///etc/keys'],
    ['SLUICE_OIDC_ROLE_MAP', 'admin'],
    ['SLUICE_OIDC_ROLE_MAP', '=admin'],
    ['SLUICE_OIDC_ROLE_MAP', 'x=root'],
    ['SLUICE_LOGIN_FAILURES_PER_MINUTE', '0'],
    ['SLUICE_NODE_TOKEN', 'short'],
  ])('%s=%s stops the start', (name, value) => {
    const faults = faultsOf({ ...NEEDED, SLUICE_OIDC_ISSUER: 'https://a.example', SLUICE_OIDC_AUDIENCE: 'sluice', [name]: value });
    expect(faults).toContain(`${name}:`);
    expect(faults).not.toContain('secret');
  });

  it('tokens for nodes are nodes, the others admins', () => {
    const { tokens } = rulesAdminConfig(loadEnvironment({ ...NEEDED, SLUICE_NODE_TOKEN: 'node-token-1,node-token-2' }));
    expect(tokens.map(({ token, role = 'admin' }) => [token, role])).toEqual([['node-token-1', 'node'], ['node-token-2', 'node'], ['an-admin-token', 'admin']]);
  });
});
