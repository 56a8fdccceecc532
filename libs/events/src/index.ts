export { decodeConfigChanged, encodeConfigChanged } from './config-changed.js';
export type { ConfigChanged } from './config-changed.js';
export { DECISION_KINDS, DECISION_SCHEMA_VERSION, STANDARD_ATTRIBUTES } from './decision-event.js';
export type { DecisionEvent, DecisionKind, DecisionLimit, StandardAttribute } from './decision-event.js';
export type { Decoded, Envelope } from './envelope.js';
export { deadLetterTopic, TOPICS } from './topics.js';
export type { Topic } from './topics.js';
