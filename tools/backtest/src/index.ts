export { run } from './run.js';
export type { Terminal } from './run.js';
