/**
 * Who may do what (R62): each of the first three may what those before it may. `node` is apart, for gateways, and may only what they need; so is `tenant`, for
 * customers: it opens nothing here but the answer to who one is, and its tenant's own decisions at the decision log.
 */
export const ROLES = ['viewer', 'editor', 'admin', 'node', 'tenant'] as const;
export type Role = (typeof ROLES)[number];

/** Roles that the environment and an OIDC issuer can give: that of a tenant names one, which only an issued token does. */
export const ROLES_ALONE = ['viewer', 'editor', 'admin', 'node'] as const satisfies readonly Role[];
export type RoleAlone = (typeof ROLES_ALONE)[number];

/** 0 for those that are apart. */
const RANK: Readonly<Record<Role, number>> = { node: 0, tenant: 0, viewer: 1, editor: 2, admin: 3 };

/** Whether a holder of `held` may what asks for one of `asked`. */
export function mayAct(held: Role, asked: readonly string[]): boolean {
  return asked.some((name) => {
    const role = ROLES.find((each) => each === name);
    return role !== undefined && (held === role || (RANK[role] > 0 && RANK[held] > RANK[role]));
  });
}

/** The one that may most; undefined of none. Who has `node` beside another has the other. */
export function highestRole(roles: readonly RoleAlone[]): RoleAlone | undefined {
  return [...roles].sort((a, b) => RANK[b] - RANK[a])[0];
}
