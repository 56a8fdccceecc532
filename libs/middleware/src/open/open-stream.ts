import { hostname } from 'node:os';
import { createDecisionStream, type DecisionStream } from '@sluice/decision-stream';
import type { Clock, Limiter } from '@sluice/limiter';
import type { InProcessOptions } from './open-limiter-options.js';

export interface StreamedNode {
  readonly clock: Clock;
  readonly limiter: () => Pick<Limiter, 'stats'>;
}

/** The stream of an engine in somebody's process. @throws RangeError for values that are none */
export function openStream({ decisionStream, nodeId = `${hostname()}-${process.pid}` }: Pick<InProcessOptions, 'decisionStream' | 'nodeId'>, { clock, limiter }: StreamedNode): DecisionStream | undefined {
  if (decisionStream === undefined) return undefined;
  const { region = 'local', ...sent } = decisionStream;
  return createDecisionStream({
    ...sent,
    region,
    nodeId,
    app: 'middleware',
    snapshotVersion: () => limiter().stats().snapshotVersion,
    nowMs: () => clock.nowMs() + limiter().stats().storeOffsetMs,
  });
}
