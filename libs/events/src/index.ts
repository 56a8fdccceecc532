export { decodeConfigChanged, encodeConfigChanged } from './config-changed.js';
export type { ConfigChanged } from './config-changed.js';
export type { Decoded, Envelope } from './envelope.js';
export { deadLetterTopic, TOPICS } from './topics.js';
export type { Topic } from './topics.js';
