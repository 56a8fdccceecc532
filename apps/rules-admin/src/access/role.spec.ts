import { highestRole, mayAct, type Role, ROLES } from './role.js';

describe('R62 roles', () => {
  it.each<[Role, Role[]]>([
    ['viewer', ['viewer']],
    ['editor', ['viewer', 'editor']],
    ['admin', ['viewer', 'editor', 'admin']],
    ['node', ['node']],
    ['tenant', ['tenant']],
  ])('%s may what asks for %j, and nothing else', (held, reached) => {
    expect(ROLES.filter((asked) => mayAct(held, [asked]))).toEqual(ROLES.filter((role) => reached.includes(role)));
    expect(mayAct(held, [])).toBe(false);
    expect(mayAct(held, ['root'])).toBe(false);
  });

  it('of several roles the highest counts', () => {
    expect(highestRole(['viewer', 'admin', 'editor'])).toBe('admin');
    expect(highestRole(['node', 'viewer'])).toBe('viewer');
    expect(highestRole([])).toBeUndefined();
  });
});
