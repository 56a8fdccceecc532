import type { DecisionEvent } from '@sluice/events';
import type { ReceivedEvent } from '../decision-store.js';
import { Bindings } from './bindings.js';
import type { ClickHouseSession } from './clickhouse-session.js';
import { splitEventId } from './event-id.js';

interface Heard {
  readonly sequence: number;
  readonly atMs: number;
  /** Whether the table knows it. */
  readonly saved: boolean;
}

/** What of a batch is new, and what is durable once that is. */
export interface Fresh {
  readonly events: readonly DecisionEvent[];
  readonly highest: ReadonlyMap<string, number>;
}

/**
 * Tells repeats from news (contract of `event_id`): of one producer the events of one partition come first in ascending order, so that what is not above the highest
 * sequence that is durable is a repeat.
 *
 * It spares writing and makes the counts right; that an event is there once does not rest on it. The table is written behind, and another replica may have gone on
 * with a partition: what is known here may be too low, never too high, and what is then written twice falls together in ClickHouse.
 */
export class HighestSequences {
  readonly #session: ClickHouseSession;
  readonly #heard = new Map<string, Heard>();
  readonly #loaded = new Set<number>();

  constructor(session: ClickHouseSession) {
    this.#session = session;
  }

  /** Reads what was saved of partitions that were not seen yet. */
  async load(batch: readonly ReceivedEvent[]): Promise<void> {
    const unseen = [...new Set(batch.map(({ partition }) => partition))].filter((partition) => !this.#loaded.has(partition));
    for (const partition of unseen) {
      const bindings = new Bindings();
      const rows = await this.#session.read<{ readonly producer: string; readonly highest: number; readonly heard_seconds: number }>(
        `SELECT producer, max(sequence) AS highest, toUnixTimestamp(max(heard_at)) AS heard_seconds FROM decision_sequences
         WHERE stream_partition = ${bindings.integer(partition)} GROUP BY producer`,
        bindings,
      );
      for (const { producer, highest, heard_seconds } of rows) this.#heard.set(keyOf(partition, producer), { sequence: highest, atMs: heard_seconds * 1000, saved: true });
      this.#loaded.add(partition);
    }
  }

  /** Remembers nothing yet: see {@link durable}. */
  freshOf(batch: readonly ReceivedEvent[]): Fresh {
    const highest = new Map<string, number>();
    const events: DecisionEvent[] = [];
    for (const { partition, event } of batch) {
      const { producer, sequence } = splitEventId(event.event_id);
      const key = keyOf(partition, producer);
      if (sequence <= (highest.get(key) ?? this.#heard.get(key)?.sequence ?? -1)) continue;
      highest.set(key, sequence);
      events.push(event);
    }
    return { events, highest };
  }

  /** The events of a batch are there. */
  durable({ highest }: Fresh, atMs: number): void {
    for (const [key, sequence] of highest) this.#heard.set(key, { sequence, atMs, saved: false });
  }

  /** Nothing is known any more. */
  clear(): void {
    this.#heard.clear();
    this.#loaded.clear();
  }

  /** Writes what the table does not know. */
  async save(): Promise<void> {
    const unsaved = [...this.#heard].filter(([, { saved }]) => !saved);
    if (unsaved.length === 0) return;
    await this.#session.insert(
      'decision_sequences',
      ['stream_partition', 'producer', 'sequence', 'heard_at'],
      unsaved.map(([key, { sequence, atMs }]) => [...partsOf(key), sequence, Math.floor(atMs / 1000)]),
    );
    for (const [key, heard] of unsaved) {
      if (this.#heard.get(key) === heard) this.#heard.set(key, { ...heard, saved: true });
    }
  }

  /** Forgets producers that nothing new came from since then. */
  async forget(beforeMs: number): Promise<void> {
    const silent = [...this.#heard].filter(([, { atMs }]) => atMs < beforeMs);
    if (silent.length === 0) return;
    for (const [key] of silent) this.#heard.delete(key);
    await this.#session.command(`ALTER TABLE decision_sequences DELETE WHERE heard_at < toDateTime(${String(Math.floor(beforeMs / 1000))})`);
  }
}

function keyOf(partition: number, producer: string): string {
  return `${String(partition)}/${producer}`;
}

function partsOf(key: string): [partition: number, producer: string] {
  const slash = key.indexOf('/');
  return [Number(key.slice(0, slash)), key.slice(slash + 1)];
}
