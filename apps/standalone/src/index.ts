export { STANDALONE_CONFIG } from './config.js';
export type { StandaloneConfig } from './config.js';
export { DEMO_SEED, DEVELOPMENT_TOKEN } from './demo-seed.js';
export { startStandalone } from './start-standalone.js';
export type { Standalone } from './start-standalone.js';
