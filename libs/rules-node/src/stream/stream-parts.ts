import type { DecisionStreamOptions } from '@sluice/decision-stream';
import type { EventBatches } from '@sluice/platform';
import { busSink } from './bus-sink.js';
import type { StreamConfig } from './stream-config.js';

/** What a node needs to send what it decides; what else a stream needs it knows itself. */
export type StreamParts = Omit<DecisionStreamOptions, 'app' | 'snapshotVersion' | 'nowMs'>;

export interface StreamTarget {
  readonly bus: Pick<EventBatches, 'publishBatch'>;
  readonly region: string;
  /** Of this process, and of no other. */
  readonly nodeId: string;
}

/** The stream as it is configured, over a bus that reaches somebody; `undefined` where it is off. Several nodes of one process may have the same parts. */
export function streamParts(config: StreamConfig, { bus, region, nodeId }: StreamTarget): StreamParts | undefined {
  if (config.stream === 'off') return undefined;
  const { streamAllowShare: allowShare, streamRuleShares: ruleShares, streamAttributes: attributes } = config;
  return { sink: busSink(bus), region, nodeId, allowShare, ruleShares, attributes };
}
