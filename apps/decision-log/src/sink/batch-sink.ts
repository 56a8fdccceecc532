import { Inject, Injectable } from '@nestjs/common';
import { deadLetterTopic, TOPICS } from '@sluice/events';
import type { BusBatch, EventBus, HealthChecks } from '@sluice/platform';
import type { DecisionStore, ReceivedEvent } from '../store/decision-store.js';
import { StoreUnavailable } from '../store/store-faults.js';
import { BUS, HEALTH, STORE } from '../tokens.js';
import { deadLetter } from './dead-letter.js';
import { type DeadMessage, readBatch } from './read-batch.js';
import { SinkMetrics } from './sink-metrics.js';
import { SinkState } from './sink-state.js';

const DEAD_LETTERS = deadLetterTopic(TOPICS.decisions);

/** Takes batches of the decision stream to the store (R81). */
@Injectable()
export class BatchSink {
  constructor(
    @Inject(STORE) private readonly store: DecisionStore,
    @Inject(BUS) private readonly bus: EventBus,
    @Inject(HEALTH) health: HealthChecks,
    private readonly metrics: SinkMetrics,
    private readonly state: SinkState,
  ) {
    health.register('sink', () => state.check(bus.isConnected(), Date.now()));
  }

  /**
   * Resolves when the events are stored and the rest is on the dead letter topic. Rejects otherwise, and is to be called with the same messages again: the
   * store tells repeats. Letters come last, since they have no such check: a store that is away for an hour must not fill their topic.
   */
  async take(batch: BusBatch): Promise<void> {
    const { events, dead } = await readBatch(batch);
    await this.storeEvents(events);
    await this.bury(batch.partition, dead);
    this.state.well();
  }

  private async storeEvents(events: readonly ReceivedEvent[]): Promise<void> {
    if (events.length === 0) return;
    const { oldestMs, newestMs } = span(events);
    this.state.take(oldestMs);
    try {
      const { stored, repeated } = await this.metrics.timed(() => this.store.write(events));
      this.metrics.count('stored', stored);
      this.metrics.count('repeated', repeated);
    } catch (error) {
      // Readiness is open to anyone, so that only faults that were worded for it are told.
      this.state.failed(error instanceof StoreUnavailable ? `the store takes no events: ${error.message}` : 'the store takes no events', Date.now());
      throw error;
    }
    this.state.stored(newestMs, Date.now());
  }

  private async bury(partition: number, dead: readonly DeadMessage[]): Promise<void> {
    if (dead.length === 0) return;
    const accepted = await this.bus.publishBatch(
      DEAD_LETTERS,
      dead.map((message) => deadLetter(partition, message)),
    );
    if (accepted < dead.length) {
      this.state.failed(`${DEAD_LETTERS} takes no messages`, Date.now());
      throw new Error(`${DEAD_LETTERS} took ${accepted} of ${dead.length} messages`);
    }
    this.metrics.count('dead', dead.length);
  }
}

function span(events: readonly ReceivedEvent[]): { readonly oldestMs: number; readonly newestMs: number } {
  let oldestMs = Infinity;
  let newestMs = 0;
  for (const { event } of events) {
    if (event.at_ms < oldestMs) oldestMs = event.at_ms;
    if (event.at_ms > newestMs) newestMs = event.at_ms;
  }
  return { oldestMs, newestMs };
}
