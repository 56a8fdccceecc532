import type { DuckDBConnection } from '@duckdb/node-api';
import type { ReceivedEvent } from '../decision-store.js';
import { Bindings } from './bindings.js';

/** The highest sequence of a producer in a partition. */
interface Highest {
  readonly partition: number;
  readonly producer: string;
  sequence: number;
}

/**
 * Tells repeats from news (contract of `event_id`): of one producer the events of one partition come first in ascending order, so that what is not above the
 * highest sequence that was stored is a repeat. The table is the truth; this holds it in memory between transactions.
 */
export class Producers {
  readonly #highest = new Map<string, Highest>();
  #loaded = false;

  async load(connection: DuckDBConnection): Promise<void> {
    if (this.#loaded) return;
    this.#highest.clear();
    const result = await new Bindings().run(connection, 'SELECT "partition", producer, highest FROM producers');
    for (const [partition, producer, highest] of await result.getRows()) {
      const one = { partition: Number(partition), producer: String(producer), sequence: Number(highest) };
      this.#highest.set(keyOf(one.partition, one.producer), one);
    }
    this.#loaded = true;
  }

  /** After a transaction that failed: the table is read again. */
  distrust(): void {
    this.#loaded = false;
  }

  /** Those of a batch that are new; what is taken from here on is remembered, and stored by {@link save} in the transaction of the rows. */
  newOf(batch: readonly ReceivedEvent[]): { readonly fresh: ReceivedEvent['event'][]; readonly changed: ReadonlySet<Highest> } {
    const fresh: ReceivedEvent['event'][] = [];
    const changed = new Set<Highest>();
    for (const { partition, event } of batch) {
      const { event_id } = event;
      const colon = event_id.lastIndexOf(':');
      const sequence = Number(event_id.slice(colon + 1));
      const one = this.#of(partition, event_id.slice(0, colon));
      if (sequence <= one.sequence) continue;
      one.sequence = sequence;
      changed.add(one);
      fresh.push(event);
    }
    return { fresh, changed };
  }

  async save(connection: DuckDBConnection, changed: ReadonlySet<Highest>, nowMs: number): Promise<void> {
    const list = [...changed];
    const bindings = new Bindings();
    const partitions = bindings.integers(list.map(({ partition }) => partition));
    const producers = bindings.texts(list.map(({ producer }) => producer));
    const sequences = bindings.integers(list.map(({ sequence }) => sequence));
    await bindings.run(
      connection,
      `INSERT INTO producers SELECT unnest(${partitions}), unnest(${producers}), unnest(${sequences}), ${bindings.integer(nowMs)}
       ON CONFLICT DO UPDATE SET highest = excluded.highest, seen_ms = excluded.seen_ms`,
    );
  }

  /** Forgets those that nothing new came from since then. */
  async forget(connection: DuckDBConnection, beforeMs: number): Promise<void> {
    const bindings = new Bindings();
    const result = await bindings.run(connection, `DELETE FROM producers WHERE seen_ms < ${bindings.integer(beforeMs)}`);
    if (result.rowsChanged > 0) this.distrust();
  }

  #of(partition: number, producer: string): Highest {
    const key = keyOf(partition, producer);
    let one = this.#highest.get(key);
    if (one === undefined) {
      one = { partition, producer, sequence: -1 };
      this.#highest.set(key, one);
    }
    return one;
  }
}

function keyOf(partition: number, producer: string): string {
  return `${String(partition)}/${producer}`;
}
