export { startStack } from './start-stack.js';
export type { Stack } from './start-stack.js';
