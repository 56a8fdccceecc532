import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { Logger, Registry } from '@sluice/platform';
import { setTimeout as sleep } from 'node:timers/promises';
import { Counter } from 'prom-client';
import { DatabaseConnection } from '../database/database-connection.js';
import { isDatabaseUnavailable } from '../database/database-problem.js';
import { LOGGER, METRICS } from '../tokens.js';
import type { Chore } from './chore.js';

/** From one round to the next, times a random 0.75 to 1.25, so that replicas that started together do not stay together. */
const ROUND_MS = 60_000;

/** Does the chores of the control plane, all by one timer. Nobody waits for it: what a round misses, a later one finds, on this replica or another. */
@Injectable()
export class Sweeper implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly chores: Chore[] = [];
  private readonly stopping = new AbortController();
  private running: Promise<void> = Promise.resolve();
  private readonly swept: Counter<'chore'>;
  private readonly failures: Counter<'chore'>;

  constructor(
    private readonly database: DatabaseConnection,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(METRICS) metrics: Registry,
  ) {
    this.swept = new Counter({ name: 'sluice_swept_total', help: 'What was put away in the background, by chore.', labelNames: ['chore'], registers: [metrics] });
    this.failures = new Counter({ name: 'sluice_sweep_failures_total', help: 'Rounds of a chore that failed, the database being there.', labelNames: ['chore'], registers: [metrics] });
  }

  /** Adds a chore; each feature adds its own when it is made. */
  add(chore: Chore): void {
    this.chores.push(chore);
    this.swept.inc({ chore: chore.name }, 0);
  }

  onApplicationBootstrap(): void {
    this.running = this.run();
  }

  /** Before the database's connection goes. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  /** All chores once, each until nothing is left of it. */
  async round(): Promise<void> {
    for (const chore of this.chores) {
      try {
        this.database.assertReady();
        await this.finish(chore);
      } catch (error) {
        if (isDatabaseUnavailable(error)) return;
        this.failures.inc({ chore: chore.name });
        this.logger.error({ err: error, chore: chore.name }, 'a chore failed; it is tried again with the next round');
      }
    }
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      const waited = await sleep(ROUND_MS * (0.75 + Math.random() / 2), true, { signal, ref: false }).catch(() => false);
      if (waited) await this.round();
    }
  }

  private async finish({ name, sweep }: Chore): Promise<void> {
    let total = 0;
    for (let more = true; more && !this.stopping.signal.aborted; ) {
      const swept = await sweep();
      total += swept.count;
      ({ more } = swept);
    }
    if (total === 0) return;
    this.swept.inc({ chore: name }, total);
    this.logger.info({ chore: name, count: total }, 'swept');
  }
}
