import type { DecisionEvent } from '@sluice/events';
import type { Aggregate, AggregateRow } from '../aggregate.js';
import type { DecisionColumns } from '../decision-columns.js';
import type { DecisionFilter } from '../decision-filter.js';
import type { DecisionPlace, DecisionStore, ReceivedEvent, StoreStatus, Written } from '../decision-store.js';
import { eventColumns } from '../event-columns.js';
import { flattenEvent } from '../flat-event.js';
import { StoreUnavailable } from '../store-faults.js';
import { aggregateEvents } from './aggregate-events.js';
import { isMissingTable } from './clickhouse-faults.js';
import { ClickHouseSession } from './clickhouse-session.js';
import type { ClickHouseSettings } from './clickhouse-store-options.js';
import { INSERT_COLUMNS, insertRow } from './columns.js';
import { findEvents } from './find-events.js';
import { HighestSequences } from './highest-sequences.js';
import { migrate } from './migrate.js';
import { dropPastDays } from './retention.js';
import { scanEvents } from './scan-events.js';

/** Decisions in a ClickHouse, which any number of processes may share. */
export class ClickHouseStore implements DecisionStore {
  readonly #settings: ClickHouseSettings;
  readonly #session: ClickHouseSession;
  readonly #sequences: HighestSequences;
  readonly #running = new Set<Promise<unknown>>();
  #migrated: Promise<void> | undefined;
  #closed = false;

  constructor(settings: ClickHouseSettings) {
    this.#settings = settings;
    this.#session = new ClickHouseSession(settings);
    this.#sequences = new HighestSequences(this.#session);
  }

  /** `host:port/database`. */
  get place(): string {
    return this.#session.place;
  }

  /** Makes what is not there yet; whatever is asked for does so first, until it has worked once. */
  async ready(): Promise<void> {
    if (this.#closed) throw new StoreUnavailable('the store of decisions is closed');
    this.#migrated ??= migrate(this.#session, this.#settings).catch((error: unknown) => {
      this.#migrated = undefined;
      throw error;
    });
    await this.#migrated;
  }

  async write(batch: readonly ReceivedEvent[]): Promise<Written> {
    return this.#use(async () => {
      await this.#sequences.load(batch);
      const fresh = this.#sequences.freshOf(batch);
      const stored = fresh.events.length;
      if (stored > 0) {
        await this.#session.insert('decisions', INSERT_COLUMNS, fresh.events.map((event) => insertRow(flattenEvent(event))));
        this.#sequences.durable(fresh, this.#settings.clock.nowMs());
      }
      return { stored, repeated: batch.length - stored };
    });
  }

  async find(filter: DecisionFilter, limit: number, after?: DecisionPlace): Promise<readonly DecisionEvent[]> {
    return this.#use(() => findEvents(this.#session, filter, limit, after));
  }

  async aggregate(query: Aggregate): Promise<readonly AggregateRow[]> {
    return this.#use(() => aggregateEvents(this.#session, query));
  }

  scanColumns(filter: DecisionFilter, attributes: ReadonlySet<string>): AsyncIterable<DecisionColumns> {
    return eventColumns(this.scan(filter), attributes);
  }

  async *scan(filter: DecisionFilter): AsyncGenerator<readonly DecisionEvent[]> {
    await this.ready();
    for await (const events of scanEvents(this.#session, filter)) {
      yield events;
      // What had come before the end may still wait here.
      await this.ready();
    }
  }

  async tend(nowMs: number): Promise<void> {
    const { retentionMs, producerMemoryMs, clock } = this.#settings;
    await this.#use(async () => {
      await this.#sequences.save();
      await this.#sequences.forget(clock.nowMs() - producerMemoryMs);
      await dropPastDays(this.#session, nowMs, retentionMs);
    });
  }

  /** What is there twice until parts are merged is counted twice. */
  async status(): Promise<StoreStatus> {
    return this.#use(async () => {
      const [held] = await this.#session.read<{ readonly events: number; readonly oldest: number; readonly newest: number }>('SELECT count() AS events, min(at_ms) AS oldest, max(at_ms) AS newest FROM decisions');
      const [disk] = await this.#session.read<{ readonly bytes: number }>("SELECT sum(bytes_on_disk) AS bytes FROM system.parts WHERE database = currentDatabase() AND table = 'decisions' AND active");
      const { events = 0, oldest, newest } = held ?? {};
      const none = events === 0;
      return { kind: 'clickhouse', events, bytes: disk?.bytes ?? 0, oldestMs: none ? undefined : oldest, newestMs: none ? undefined : newest };
    });
  }

  /** Waits for what runs, and cuts scans. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await Promise.allSettled(this.#running);
    // A count may be off without it, nothing else: a server that is away does not hold the end up.
    if (this.#migrated !== undefined) await this.#sequences.save().catch((error: unknown) => this.#settings.logger?.warn({ err: error }, 'what was stored last of each producer was not saved'));
    await this.#session.close();
  }

  async #use<T>(work: () => Promise<T>): Promise<T> {
    const running = this.ready().then(work);
    this.#running.add(running);
    try {
      return await running;
    } catch (error) {
      if (isMissingTable(error)) this.#startOver();
      throw error;
    } finally {
      this.#running.delete(running);
    }
  }

  /** What was there was taken away: it is made again, and nothing of it is durable any more. */
  #startOver(): void {
    this.#migrated = undefined;
    this.#sequences.clear();
  }
}
