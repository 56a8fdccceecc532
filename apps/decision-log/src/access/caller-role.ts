/** Roles of the control plane that mean something here (R62). Each of the first three may what those before it may; `tenant` is apart, for customers. */
export const CALLER_ROLES = ['viewer', 'editor', 'admin', 'tenant'] as const;
export type CallerRole = (typeof CALLER_ROLES)[number];

const RANK: Readonly<Record<CallerRole, number>> = { tenant: 0, viewer: 1, editor: 2, admin: 3 };

/** The role of that name; undefined for one that opens nothing here, as `node` and whatever a later control plane has. */
export function callerRole(name: unknown): CallerRole | undefined {
  return CALLER_ROLES.find((role) => role === name);
}

/** Whether a holder of `held` may what asks for one of `asked`. */
export function mayAsk(held: CallerRole, asked: readonly string[]): boolean {
  return asked.some((name) => {
    const role = callerRole(name);
    return held === role || (role !== undefined && role !== 'tenant' && held !== 'tenant' && RANK[held] > RANK[role]);
  });
}
