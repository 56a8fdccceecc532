import { Inject, Injectable } from '@nestjs/common';
import type { Registry } from '@sluice/platform';
import { Counter, Histogram } from 'prom-client';
import { METRICS } from '../tokens.js';

/** What can be seen of the snapshot from outside. */
@Injectable()
export class SnapshotMetrics {
  readonly builds: Histogram<'from'>;
  readonly stale: Counter;
  readonly restored: Counter;

  constructor(@Inject(METRICS) registry: Registry) {
    this.builds = new Histogram({
      name: 'sluice_snapshot_build_seconds',
      help: 'Time to read and build a version of the snapshot, from everything or from the changes since the last one.',
      labelNames: ['from'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
      registers: [registry],
    });
    this.stale = new Counter({ name: 'sluice_snapshot_stale_answers_total', help: 'Polls that were answered from memory, since the database could not be asked.', registers: [registry] });
    this.restored = new Counter({ name: 'sluice_database_restored_total', help: 'Epochs that this process began, since the database turned out to be another one than before: restored, or failed over.', registers: [registry] });
  }
}
