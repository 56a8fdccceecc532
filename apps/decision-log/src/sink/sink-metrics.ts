import { Inject, Injectable } from '@nestjs/common';
import type { Registry } from '@sluice/platform';
import { Counter, Gauge, Histogram } from 'prom-client';
import { METRICS } from '../tokens.js';
import { SinkState } from './sink-state.js';

/** What became of an event: stored now, there already, or none that can be read. */
export type SinkOutcome = 'stored' | 'repeated' | 'dead';

/** What the sink tells Prometheus (R93). */
@Injectable()
export class SinkMetrics {
  private readonly events: Counter;
  private readonly writes: Histogram;

  constructor(@Inject(METRICS) registry: Registry, @Inject(SinkState) state: SinkState) {
    this.events = new Counter({
      name: 'sluice_sink_events_total',
      help: 'Messages of the decision stream by what became of them; of a batch that comes again each time.',
      labelNames: ['outcome'],
      registers: [registry],
    });
    for (const outcome of ['stored', 'repeated', 'dead'] satisfies SinkOutcome[]) this.events.inc({ outcome }, 0);
    this.writes = new Histogram({
      name: 'sluice_sink_write_seconds',
      help: 'Time of a write of one batch to the store, failed ones included.',
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
      registers: [registry],
    });
    new Gauge({
      name: 'sluice_sink_lag_seconds',
      help: 'How far what is stored is behind: the age of the oldest event that waits for the store, else that of the newest event when it was stored.',
      registers: [registry],
      collect() {
        this.set(state.lagMs(Date.now()) / 1_000);
      },
    });
  }

  count(outcome: SinkOutcome, events: number): void {
    this.events.inc({ outcome }, events);
  }

  /** Measures a write, whatever becomes of it. */
  async timed<T>(write: () => Promise<T>): Promise<T> {
    const end = this.writes.startTimer();
    try {
      return await write();
    } finally {
      end();
    }
  }
}
