export { canEnter, closedFolder } from './can-enter.js';
export { postgresUser } from './os-user.js';
export type { OsUser } from './os-user.js';
export { packageName, packagedPrograms } from './packaged-programs.js';
export { reachablePrograms } from './reachable-programs.js';
