export { limiterOptions } from './limiter-options.js';
export { start } from './start.js';
export type { Running, StartOptions } from './start.js';
