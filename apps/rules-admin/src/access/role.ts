/** Who may do what (R62): each of the first three may what those before it may; `node` is apart, for gateways, and may only what they need. */
export const ROLES = ['viewer', 'editor', 'admin', 'node'] as const;
export type Role = (typeof ROLES)[number];

const RANK: Readonly<Record<Role, number>> = { node: 0, viewer: 1, editor: 2, admin: 3 };

/** Whether a holder of `held` may what asks for one of `asked`. */
export function mayAct(held: Role, asked: readonly Role[]): boolean {
  return asked.some((role) => held === role || (role !== 'node' && held !== 'node' && RANK[held] > RANK[role]));
}

/** The one that may most; undefined of none. Who has `node` beside another has the other. */
export function highestRole(roles: readonly Role[]): Role | undefined {
  return [...roles].sort((a, b) => RANK[b] - RANK[a])[0];
}
