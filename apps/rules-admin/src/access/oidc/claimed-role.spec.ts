import { claimedRole } from './claimed-role.js';

describe('R62 roles in the claims of a JWT', () => {
  it.each<[object, string, string | undefined]>([
    [{ roles: ['viewer', 'admin'] }, 'roles', 'admin'],
    [{ roles: 'editor' }, 'roles', 'editor'],
    [{ scope: 'openid viewer editor' }, 'scope', 'editor'],
    [{ realm_access: { roles: ['viewer'] } }, 'realm_access.roles', 'viewer'],
    [{ 'https://acme.example/roles': ['admin'] }, 'https://acme.example/roles', 'admin'],
    [{ 'a.b': ['viewer'], a: { b: ['admin'] } }, 'a.b', 'viewer'],
    [{}, 'roles', undefined],
    [{ roles: [] }, 'roles', undefined],
    [{ roles: ['Admin', 'superuser', 5, null, ['admin']] }, 'roles', undefined],
    [{ roles: { admin: true } }, 'roles', undefined],
    [{ roles: true }, 'roles', undefined],
    [{ roles: null }, 'roles.x', undefined],
    [{ role: 'admin' }, 'roles', undefined],
    [{ roles: ['tenant'] }, 'roles', undefined],
    [{}, 'constructor.name', undefined],
    [{}, '__proto__', undefined],
  ])('%j at %s: %s', (claims, path, role) => {
    expect(claimedRole(claims, path)).toBe(role);
  });

  it('with a map only its words count, so that an admin of something else is none here', () => {
    const map = new Map([['sluice-admins', 'admin'], ['everybody', 'viewer']] as const);
    expect(claimedRole({ roles: ['everybody', 'sluice-admins'] }, 'roles', map)).toBe('admin');
    expect(claimedRole({ roles: ['admin'] }, 'roles', map)).toBeUndefined();
  });
});
