import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { encodeConfigChanged, TOPICS } from '@sluice/events';
import { backoff, type EventBus, type Logger, type Published } from '@sluice/platform';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { CommitSignal } from '../database/commit-signal.js';
import { DatabaseConnection } from '../database/database-connection.js';
import { EVENT_BUS, LOGGER } from '../tokens.js';
import { Alarm } from './alarm.js';
import { Outbox } from './outbox.js';
import { OutboxMetrics } from './outbox-metrics.js';

/** Looks without a hint this often: for what other replicas left behind. Times a random 0.75 to 1.25. */
const LOOK_MS = 1_000;
/** A burst of changes: the first is told at once, the others together so much later. */
const BURST_MS = 50;
/** Stopping waits no longer for what is under way: another replica, the next start or the poll make up for it. */
const STOP_MS = 2_500;

/** What a look into the outbox came to; `failed`: the database did not answer. */
type Look = 'idle' | Published | 'failed';

/**
 * Wakes the nodes after each commit that concerns them (R55, ADR 0017). What is committed is told at least once, and nothing before it is committed; while
 * the bus is down it waits in the table, and the nodes poll. No write waits for any of it.
 */
@Injectable()
export class OutboxRelay implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly stopping = new AbortController();
  private readonly alarm = new Alarm();
  private running: Promise<void> = Promise.resolve();
  private last: Look = 'idle';

  constructor(
    private readonly outbox: Outbox,
    private readonly database: DatabaseConnection,
    commits: CommitSignal,
    private readonly metrics: OutboxMetrics,
    @Inject(EVENT_BUS) private readonly bus: EventBus,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    commits.onCommit(() => this.alarm.ring());
  }

  onApplicationBootstrap(): void {
    this.running = this.run();
  }

  /** After the last request was answered: what those committed is told before the process ends, if that goes quickly. */
  async onApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    this.alarm.ring();
    await Promise.race([this.running, sleep(STOP_MS, undefined, { ref: false })]);
    await this.outbox.close();
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    const stopped = new Promise<false>((resolve) => signal.addEventListener('abort', () => resolve(false), { once: true }));
    if (!(await Promise.race([this.database.ready.then(() => true), stopped]))) return;
    for (let failures = 0; !signal.aborted; ) {
      const look = await this.look();
      failures = look === 'idle' || look === 'sent' ? 0 : failures + 1;
      if (failures > 0) await backoff(failures, signal);
      else if (look === 'sent') await sleep(BURST_MS, undefined, { signal }).catch(() => undefined);
      else await this.alarm.wait(LOOK_MS * (0.75 + Math.random() / 2));
    }
    if (this.last === 'idle' || this.last === 'sent') await this.look();
  }

  private async look(): Promise<Look> {
    const look = await this.relay().catch((error: unknown): Look => {
      this.logger.debug({ err: error }, 'the outbox cannot be read; trying on');
      return 'failed';
    });
    if (look === 'dropped' && this.last !== 'dropped') this.logger.warn('the bus does not take the news of a change; it is kept, and nodes learn of it by polling');
    if (look === 'sent' && this.last === 'dropped') this.logger.info('the bus takes news of changes again');
    if (look !== 'failed' || this.last !== 'dropped') this.last = look;
    return look;
  }

  private async relay(): Promise<Look> {
    const before = await this.outbox.backlog();
    this.metrics.see(before);
    if (before.versions === 0) return 'idle';
    const outcome = await this.outbox.handOver((version) => this.tell(version));
    if (outcome === 'sent') this.metrics.see(await this.outbox.backlog());
    return outcome ?? 'idle';
  }

  private async tell(version: number): Promise<Published> {
    const event = encodeConfigChanged({ schema_version: 1, event_id: randomUUID(), version });
    const outcome = await this.bus.publish(TOPICS.config, 'config', event);
    this.metrics.announced(outcome);
    return outcome;
  }
}
