import { Inject, Injectable } from '@nestjs/common';
import type { DecisionFilter } from '../../store/decision-filter.js';
import type { DecisionStore } from '../../store/decision-store.js';
import { STORE } from '../../tokens.js';
import { BUCKETS, checkBuckets, fittingBucket, MOST_ROWS } from '../sums/bucket.js';
import { sumsRange } from '../sums/sums-range.js';
import { COUNTS_WHAT, type ShadowHistory } from './shadow-report.dto.js';
import type { ShadowReportQuery } from './shadow-report-query.dto.js';

const MOST_NAMED = 100;
const MOST_BUCKETS_BY_DEFAULT = 200;

/** The history of rules in shadow (R58): what is counted in the control plane for a week is here for as long as events are kept. */
@Injectable()
export class ShadowReportService {
  constructor(@Inject(STORE) private readonly store: DecisionStore) {}

  /** @throws ProblemException 400 for a range that is none; QueryTooLarge for too many buckets */
  async report({ rule_id: ruleId, from, to, bucket: asked }: ShadowReportQuery): Promise<ShadowHistory> {
    const range = sumsRange({ from, to });
    const bucket = asked ?? fittingBucket(range, MOST_BUCKETS_BY_DEFAULT);
    checkBuckets(range, bucket);
    const filter: DecisionFilter = { ...range, kinds: ['shadow'], ruleId };
    const [totals] = await this.store.aggregate({ filter, groupBy: [], distinctKeys: true, limit: 1 });
    const overTime = await this.store.aggregate({ filter, groupBy: [], bucketMs: BUCKETS[bucket], limit: MOST_ROWS });
    const byKey = await this.store.aggregate({ filter, groupBy: ['key_id'], orderBy: 'requests', limit: MOST_NAMED });
    const byVersion = await this.store.aggregate({ filter, groupBy: ['rule_version'], orderBy: 'requests', limit: MOST_NAMED });
    return {
      rule_id: ruleId,
      from: new Date(range.fromMs).toISOString(),
      to: new Date(range.toMs).toISOString(),
      counts: COUNTS_WHAT,
      sampled: false,
      standard_error: 0,
      would_refuse: Math.round(totals?.requests ?? 0),
      keys: totals?.distinctKeys ?? 0,
      bucket_seconds: BUCKETS[bucket] / 1_000,
      over_time: overTime.map(({ bucketMs = 0, requests }) => ({ starts_at: new Date(bucketMs).toISOString(), would_refuse: Math.round(requests) })),
      by_key: byKey.map(({ group, requests }) => ({ key_id: group[0] ?? null, would_refuse: Math.round(requests) })),
      by_version: byVersion.map(({ group, requests, firstMs, lastMs }) => ({
        version: Number(group[0] ?? 0),
        would_refuse: Math.round(requests),
        first_at: new Date(firstMs).toISOString(),
        last_at: new Date(lastMs).toISOString(),
      })),
    };
  }
}
