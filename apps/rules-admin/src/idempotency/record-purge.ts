import { Injectable } from '@nestjs/common';
import { DatabaseConnection } from '../database/database-connection.js';
import type { Swept } from '../sweeper/chore.js';
import { Sweeper } from '../sweeper/sweeper.js';

const BATCH = 1_000;

/** Puts away records that expired. Replicas may do so side by side: each passes over the rows that another one is at. */
@Injectable()
export class RecordPurge {
  constructor(
    private readonly database: DatabaseConnection,
    sweeper: Sweeper,
  ) {
    sweeper.add({ name: 'idempotency_records', sweep: () => this.sweep() });
  }

  async sweep(): Promise<Swept> {
    const [, count] = await this.database.source.query<[unknown, number]>(
      `DELETE FROM idempotency_record WHERE (actor, route, key) IN (
         SELECT actor, route, key FROM idempotency_record WHERE expires_at <= clock_timestamp() ORDER BY expires_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)`,
    );
    return { count, more: count === BATCH };
  }
}
