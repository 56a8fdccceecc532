import { Inject, Injectable } from '@nestjs/common';
import type { Published, Registry } from '@sluice/platform';
import { Counter, Gauge } from 'prom-client';
import { METRICS } from '../tokens.js';
import type { Backlog } from './outbox.js';

/** How the push stands. The backlog is that of the database, so that all replicas show the same. */
@Injectable()
export class OutboxMetrics {
  private readonly announcements: Counter<'outcome'>;
  private seen: (Backlog & { readonly atMs: number }) | undefined;

  constructor(@Inject(METRICS) metrics: Registry) {
    this.announcements = new Counter({
      name: 'sluice_config_announcements_total',
      help: 'Wake-ups of nodes after a change, sent or dropped. What was dropped is tried again.',
      labelNames: ['outcome'],
      registers: [metrics],
    });
    const read = (): (Backlog & { readonly atMs: number }) | undefined => this.seen;
    new Gauge({
      name: 'sluice_outbox_pending',
      help: 'Versions that nodes have yet to be told of, when last looked.',
      registers: [metrics],
      collect() {
        this.set(read()?.versions ?? 0);
      },
    });
    new Gauge({
      name: 'sluice_outbox_oldest_age_seconds',
      help: 'Time since the commit of the oldest version that nodes have yet to be told of; 0 when there is none.',
      registers: [metrics],
      collect() {
        const seen = read();
        this.set(seen === undefined || seen.versions === 0 ? 0 : (seen.oldestAgeMs + performance.now() - seen.atMs) / 1000);
      },
    });
  }

  see(backlog: Backlog): void {
    this.seen = { ...backlog, atMs: performance.now() };
  }

  announced(outcome: Published): void {
    this.announcements.inc({ outcome });
  }
}
