import { Inject, Injectable } from '@nestjs/common';
import { encodeConfigChanged, TOPICS } from '@sluice/events';
import type { EventBus, Logger, Registry } from '@sluice/platform';
import { randomUUID } from 'node:crypto';
import { Counter } from 'prom-client';
import { EVENT_BUS, LOGGER, METRICS } from '../tokens.js';

/** Wakes the nodes after a commit. Nobody waits for it: a wake-up that is lost costs the time to the next poll (R55). */
@Injectable()
export class ConfigAnnouncer {
  private readonly announcements: Counter<'outcome'>;

  constructor(
    @Inject(EVENT_BUS) private readonly bus: EventBus,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(METRICS) metrics: Registry,
  ) {
    this.announcements = new Counter({
      name: 'sluice_config_announcements_total',
      help: 'Wake-ups after a change of rules, sent or dropped.',
      labelNames: ['outcome'],
      registers: [metrics],
    });
  }

  announce(version: number): void {
    const event = encodeConfigChanged({ schema_version: 1, event_id: randomUUID(), version });
    void this.bus.publish(TOPICS.config, 'config', event).then((outcome) => {
      this.announcements.inc({ outcome });
      if (outcome === 'dropped') this.logger.warn({ version }, 'nodes were not woken; they learn of the version by polling');
    });
  }
}
