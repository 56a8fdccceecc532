import { randomBytes } from 'node:crypto';
import { AllowSampling } from './allow-sampling.js';
import { checkOptions } from './check-options.js';
import type { DecisionStream } from './decision-stream.js';
import type { DecisionStreamOptions } from './decision-stream-options.js';
import { Drain } from './drain.js';
import { EventRing } from './event-ring.js';
import { EventWriter } from './event-writer.js';
import { NodeStream } from './node-stream.js';

const CAPACITY = 65_536;
const ALLOW_SHARE = 0.01;
const MAX_PER_SECOND = 10_000;
/** 96 bits: no two streams have the same name, and 16 characters of it. */
const PRODUCER_BYTES = 12;

/**
 * A stream of decisions to a sink (R80). What is noted waits in a ring and is sent in batches; what does not fit is dropped and counted.
 * @throws RangeError for an option that no stream can be made of.
 */
export function createDecisionStream(options: DecisionStreamOptions): DecisionStream {
  checkOptions(options);
  const { sink, region, nodeId, app, capacity = CAPACITY, allowShare = ALLOW_SHARE, ruleShares = new Map(), attributes = [] } = options;
  const { maxPerSecond = MAX_PER_SECOND, random = Math.random, snapshotVersion, nowMs } = options;
  const ring = new EventRing(capacity);
  const writer = new EventWriter({ producer: randomBytes(PRODUCER_BYTES).toString('base64url'), region, nodeId, app, attributes });
  const drain = new Drain({ ring, writer, sink, maxPerSecond });
  return new NodeStream({ ring, drain, sampling: new AllowSampling(allowShare, ruleShares, random), snapshotVersion, nowMs });
}
