import { type BusBatch, type EventBus, HealthChecks, type OutgoingMessage } from '@sluice/platform';
import { Registry } from 'prom-client';
import type { DecisionStore } from '../store/decision-store.js';
import { StoreUnavailable } from '../store/store-faults.js';
import { BatchSink } from './batch-sink.js';
import { SinkMetrics } from './sink-metrics.js';
import { SinkState } from './sink-state.js';

const EVENT = {
  schema_version: 1, event_id: 'p:1', kind: 'decision', at_ms: 1, region: 'r', node_id: 'n', app: 'gateway', snapshot_version: 1, sampled_share: 1, allowed: true, reason: 'ok', source: 'local', cost: 1, retry_after_ms: null, attributes: {}, limits: [],
};

describe('R81 letters about what is no event', () => {
  it('are written after the events are stored, so that a store that is away does not fill their topic', async () => {
    const letters: OutgoingMessage[] = [];
    let isAway = true;
    const store = { write: (batch: readonly unknown[]) => (isAway ? Promise.reject(new StoreUnavailable('away')) : Promise.resolve({ stored: batch.length, repeated: 0 })) } as Partial<DecisionStore> as DecisionStore;
    const bus = { publishBatch: (_: string, messages: readonly OutgoingMessage[]) => Promise.resolve(letters.push(...messages)), isConnected: () => true } as Partial<EventBus> as EventBus;
    const state = new SinkState();
    const sink = new BatchSink(store, bus, new HealthChecks(), new SinkMetrics(new Registry(), state), state);
    const batch: BusBatch = { topic: 't', partition: 0, messages: ['no event', JSON.stringify(EVENT)].map((value, index) => ({ key: 'k', value: Buffer.from(value), offset: BigInt(index) })) };
    for (let attempt = 0; attempt < 3; attempt += 1) await expect(sink.take(batch)).rejects.toThrow(StoreUnavailable);
    expect(letters).toEqual([]);
    isAway = false;
    await sink.take(batch);
    expect(letters).toHaveLength(1);
  });
});
