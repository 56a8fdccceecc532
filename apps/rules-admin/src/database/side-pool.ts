import type { Logger } from '@sluice/platform';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ClientBase, Pool, types } from 'pg';
import { SelfClosingClient } from './self-closing-client.js';

const BIGINT_OID = 20;

export interface SidePoolOptions {
  readonly url: string;
  readonly name: string;
  readonly size: number;
  readonly logger: Logger;
}

/**
 * A few connections beside TypeORM's pool, for what must not stand in the queue of the writers: those wait for the version lock with a connection each.
 * Every statement is bounded. Bigints come as numbers; ours stay below 2^53.
 */
export class SidePool {
  private readonly pool: Pool;

  constructor({ url, name, size, logger }: SidePoolOptions) {
    this.pool = new Pool({
      connectionString: url,
      application_name: `sluice-rules-admin-${name}`,
      max: size,
      Client: SelfClosingClient,
      keepAlive: true,
      connectionTimeoutMillis: 1_000,
      idleTimeoutMillis: 60_000,
      lock_timeout: 3_000,
      statement_timeout: 5_000,
      idle_in_transaction_session_timeout: 10_000,
      query_timeout: 6_000,
      types: { getTypeParser: (oid: number, format?: 'text' | 'binary') => (oid === BIGINT_OID ? Number : types.getTypeParser(oid, format)) },
    });
    // A connection that was lost while nobody used it; the next use makes another one.
    this.pool.on('error', (error) => logger.debug({ err: error }, 'idle connection to the database lost'));
  }

  /** @throws what pg throws */
  async use<T>(work: (client: ClientBase) => Promise<T>): Promise<T> {
    const client = await this.pool.connect();
    let failed = true;
    try {
      const result = await work(client);
      failed = false;
      return result;
    } finally {
      // After a failure it may be in the middle of anything.
      client.release(failed);
    }
  }

  async close(): Promise<void> {
    // A server that hangs would not let go.
    await Promise.race([this.pool.end(), sleep(1_000, undefined, { ref: false })]);
  }
}
