import type { Role } from '../access/role.js';

/** Who may have the snapshot. */
export const SNAPSHOT_ACCESS: readonly [Role, ...Role[]] = ['viewer', 'node'];
