export { attributeText } from './attribute-text.js';
export { decodeConfigChanged, encodeConfigChanged } from './config-changed.js';
export type { ConfigChanged } from './config-changed.js';
export { isAttributeName } from './decision-attributes.js';
export {
  DECISION_KINDS,
  DECISION_SCHEMA_VERSION,
  LEAST_SAMPLED_SHARE,
  MAX_ATTRIBUTE_CHARS,
  MAX_ATTRIBUTES,
  MAX_DECISION_LIMITS,
  MAX_SAMPLED_COST,
  STANDARD_ATTRIBUTES,
} from './decision-event.js';
export type { DecisionEvent, DecisionKind, DecisionLimit, StandardAttribute } from './decision-event.js';
export { decodeDecisionEvent, MAX_DECISION_EVENT_CHARS } from './decode-decision-event.js';
export { encodeDecisionEvent } from './encode-decision-event.js';
export type { Decoded, Envelope } from './envelope.js';
export { isSecretAttribute } from './is-secret-attribute.js';
export { deadLetterTopic, TOPICS } from './topics.js';
export type { Topic } from './topics.js';
