export { createDecisionStream } from './create-decision-stream.js';
export type { DecisionStream, StreamMessage, StreamSink, StreamStats, UnauthenticatedReason } from './decision-stream.js';
export type { DecisionStreamOptions } from './decision-stream-options.js';
