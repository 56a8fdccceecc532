export { type ConfigChanged, decodeConfigChanged, encodeConfigChanged } from './config-changed.js';
export { TOPICS } from './topics.js';
