import { Injectable } from '@nestjs/common';
import { proposedId } from '@sluice/rules';
import { DatabaseConnection } from '../database/database-connection.js';
import type { Swept } from '../sweeper/chore.js';
import { Sweeper } from '../sweeper/sweeper.js';
import { cappedSum, MOST } from './capped-sum.js';
import { EVERY_KEY, EVERY_NODE } from './shadow-count.entity.js';
import type { ShadowCountsBody, ShadowCountsTaken } from './shadow-counts.dto.js';

/** Nodes keep what was not taken for ten minutes. What comes later than this is not counted, so that minutes that were summed stay as they are. */
const TAKEN_FOR = `interval '1 hour'`;
const SUMMED_AFTER = `interval '2 hours'`;
const SUMMED_BY_HOUR_AFTER = `interval '25 hours'`;
const KEPT_FOR = `interval '7 days'`;
/** Rows a batch: some tens of ms. */
const BATCH = 5_000;

/** Counts of rules in shadow, as nodes send them (R58). They are no configuration: no version, no log. */
@Injectable()
export class ShadowCountsService {
  constructor(
    private readonly database: DatabaseConnection,
    sweeper: Sweeper,
  ) {
    sweeper.add({ name: 'shadow_counts_summed', sweep: () => this.sum(`node_id <> '${EVERY_NODE}' AND starts_at < clock_timestamp() - ${SUMMED_AFTER}`, 'starts_at') });
    sweeper.add({ name: 'shadow_counts_summed_by_hour', sweep: () => this.sum(`starts_at <> ${HOUR} AND starts_at < clock_timestamp() - ${SUMMED_BY_HOUR_AFTER}`, HOUR) });
    sweeper.add({ name: 'shadow_counts_expired', sweep: () => this.expire() });
  }

  /** Only counts of rules that there are: nobody could ask for others. Of each count the greatest that was ever sent stands, so that repeats, reordering and lost answers do no harm. */
  take({ node_id, complete_until, last = false, counts }: ShadowCountsBody): Promise<ShadowCountsTaken> {
    return this.database.source.transaction('READ COMMITTED', async (manager) => {
      const [taken] = await manager.query<{ accepted: number; ignored: number }[]>(
        `WITH sent AS (
           SELECT rule_id, rule_version, date_bin('1 minute', minute, 'epoch') AS starts_at, coalesce(key, '${EVERY_KEY}') AS key, max(allowed) AS allowed, max(denied) AS denied, max(unknown) AS unknown,
                  minute BETWEEN clock_timestamp() - ${TAKEN_FOR} AND clock_timestamp() + interval '10 minutes' AND EXISTS (SELECT 1 FROM rule WHERE rule.rule_id = replace(count.rule_id, '${proposedId('')}', '')) AS is_of_use
           FROM jsonb_to_recordset($2::jsonb) AS count (rule_id text, rule_version bigint, minute timestamptz, key text, allowed bigint, denied bigint, unknown bigint)
           GROUP BY 1, 2, 3, 4, 8
         ), written AS (
           INSERT INTO shadow_count (rule_id, rule_version, starts_at, key, node_id, allowed, denied, unknown)
           SELECT rule_id, rule_version, starts_at, key, $1, max(allowed), max(denied), max(unknown) FROM sent WHERE is_of_use GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
           ON CONFLICT ON CONSTRAINT shadow_count_pkey DO UPDATE
           SET allowed = greatest(shadow_count.allowed, excluded.allowed), denied = greatest(shadow_count.denied, excluded.denied), unknown = greatest(shadow_count.unknown, excluded.unknown)
         )
         SELECT count(*) FILTER (WHERE is_of_use)::int AS accepted, count(*) FILTER (WHERE NOT is_of_use)::int AS ignored FROM sent`,
        [node_id, JSON.stringify(counts)],
      );
      if (last) await manager.query('DELETE FROM shadow_node WHERE node_id = $1', [node_id]);
      else if (complete_until !== undefined) {
        await manager.query(
          `INSERT INTO shadow_node (node_id, complete_until, seen_at) VALUES ($1, $2, clock_timestamp())
           ON CONFLICT (node_id) DO UPDATE SET complete_until = greatest(shadow_node.complete_until, excluded.complete_until), seen_at = excluded.seen_at`,
          [node_id, complete_until],
        );
      }
      return { accepted: taken?.accepted ?? 0, ignored: taken?.ignored ?? 0 };
    });
  }

  /** Sums old rows, in one statement, so that a report never sees them twice or not at all. */
  private async sum(which: string, startsAt: string): Promise<Swept> {
    const [summed] = await this.database.source.query<{ count: number }[]>(
      `WITH old AS (
         DELETE FROM shadow_count WHERE ctid = ANY (ARRAY(SELECT ctid FROM shadow_count WHERE ${which} LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)) RETURNING *
       ), summed AS (
         INSERT INTO shadow_count (rule_id, rule_version, starts_at, key, node_id, allowed, denied, unknown)
         SELECT rule_id, rule_version, ${startsAt}, key, '${EVERY_NODE}', ${cappedSum('allowed')}, ${cappedSum('denied')}, ${cappedSum('unknown')} FROM old GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
         ON CONFLICT ON CONSTRAINT shadow_count_pkey DO UPDATE
         SET allowed = least(${MOST}, shadow_count.allowed + excluded.allowed), denied = least(${MOST}, shadow_count.denied + excluded.denied), unknown = least(${MOST}, shadow_count.unknown + excluded.unknown)
       )
       SELECT count(*)::int AS count FROM old`,
    );
    const count = summed?.count ?? 0;
    return { count, more: count === BATCH };
  }

  private async expire(): Promise<Swept> {
    const { source } = this.database;
    await source.query(`DELETE FROM shadow_node WHERE seen_at < clock_timestamp() - interval '1 day'`);
    const [expired] = await source.query<{ count: number }[]>(
      `WITH old AS (DELETE FROM shadow_count WHERE ctid = ANY (ARRAY(SELECT ctid FROM shadow_count WHERE starts_at < clock_timestamp() - ${KEPT_FOR} LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)) RETURNING 1)
       SELECT count(*)::int AS count FROM old`,
    );
    const count = expired?.count ?? 0;
    return { count, more: count === BATCH };
  }
}

const HOUR = `date_bin('1 hour', starts_at, 'epoch')`;
