import { CALLER_ROLES, callerRole, type CallerRole, mayAsk } from './caller-role.js';

describe('R62 roles at the decision log', () => {
  it.each<[CallerRole, CallerRole[]]>([
    ['viewer', ['viewer']],
    ['editor', ['viewer', 'editor']],
    ['admin', ['viewer', 'editor', 'admin']],
    ['tenant', ['tenant']],
  ])('%s may what asks for %j, and nothing else', (held, reached) => {
    expect(CALLER_ROLES.filter((asked) => mayAsk(held, [asked]))).toEqual(CALLER_ROLES.filter((role) => reached.includes(role)));
    expect(mayAsk(held, [])).toBe(false);
    expect(mayAsk(held, ['node', 'root', 'constructor'])).toBe(false);
  });

  it.each(['node', 'root', '', null, undefined, 3, 'constructor'])('%j is no role here', (name) => {
    expect(callerRole(name)).toBeUndefined();
  });
});
