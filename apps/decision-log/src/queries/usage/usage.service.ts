import { Inject, Injectable } from '@nestjs/common';
import type { Caller } from '../../access/caller.js';
import { ownOnly } from '../../access/own-only.js';
import { invalid } from '../../input/invalid.js';
import type { AggregateRow } from '../../store/aggregate.js';
import type { DecisionStore } from '../../store/decision-store.js';
import { STORE } from '../../tokens.js';
import { questionDigest } from '../decisions/decision-cursor.js';
import { BUCKETS, checkBuckets, MOST_ROWS } from '../sums/bucket.js';
import { onlyForTenants } from '../sums/only-for-tenants.js';
import { type Sampled, sampledIn } from '../sums/sampling.js';
import { sumsFilter } from '../sums/sums-filter.js';
import { sumsJson } from '../sums/sums-json.js';
import { sumsRange } from '../sums/sums-range.js';
import type { UsagePage, UsageRow } from './usage.dto.js';
import { readUsageCursor, type UsageCursor, writeUsageCursor } from './usage-cursor.js';
import { USAGE_DIMENSIONS, type UsageQuery } from './usage-query.dto.js';

/** Sums of decisions, over time and by group. */
@Injectable()
export class UsageService {
  constructor(@Inject(STORE) private readonly store: DecisionStore) {}

  /** @throws ProblemException 400 for a range that is none or a cursor of another question, 403 for what is not the caller's; QueryTooLarge for too many buckets */
  async page(query: UsageQuery, caller: Caller): Promise<UsagePage> {
    const { by, bucket } = query;
    onlyForTenants(caller, by, ['key', 'rule', 'endpoint']);
    const { limit: _limit, cursor: _cursor, ...question } = query;
    const digest = questionDigest({ ...question, of: caller.tenantId });
    const place = placeOf(query, digest);
    const range = place?.range ?? sumsRange(query);
    if (bucket !== undefined) checkBuckets(range, bucket);
    const filter = ownOnly(caller, sumsFilter(query, range));
    const limit = query.limit === undefined ? MOST_ROWS : Number(query.limit);
    const found = await this.store.aggregate({
      // What the pages before had is not read again, but for the part of time in which they ended.
      filter: { ...filter, fromMs: Math.max(filter.fromMs, place?.after.bucketMs ?? 0) },
      groupBy: by === undefined ? [] : [USAGE_DIMENSIONS[by]],
      ...(bucket === undefined ? {} : { bucketMs: BUCKETS[bucket] }),
      ...(place === undefined ? {} : { after: place.after }),
      limit: limit + 1,
    });
    const rows = found.slice(0, limit);
    const last = rows.at(-1);
    const sampled = await sampledIn(this.store, ownOnly(caller, range), rows);
    return {
      usage: rows.map((row) => rowJson(row, sampled)),
      by: by ?? null,
      bucket_seconds: bucket === undefined ? null : BUCKETS[bucket] / 1_000,
      from: new Date(range.fromMs).toISOString(),
      to: new Date(range.toMs).toISOString(),
      next_cursor: found.length > limit && last !== undefined ? writeUsageCursor(digest, { range, after: last }) : null,
    };
  }
}

function placeOf({ by, bucket, cursor }: UsageQuery, digest: string): UsageCursor | undefined {
  if (cursor === undefined) return undefined;
  const place = readUsageCursor(digest, cursor, { bucketed: bucket !== undefined, dimensions: by === undefined ? 0 : 1 });
  if (place === undefined) throw invalid([{ pointer: '/query/cursor', detail: 'must be the next_cursor of a page with the same other parameters' }]);
  return place;
}

function rowJson(row: AggregateRow, sampled: Sampled): UsageRow {
  return { starts_at: row.bucketMs === undefined ? null : new Date(row.bucketMs).toISOString(), group: row.group[0] ?? null, ...sumsJson(row, sampled) };
}
