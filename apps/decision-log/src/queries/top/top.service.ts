import { Inject, Injectable } from '@nestjs/common';
import type { Caller } from '../../access/caller.js';
import { ownOnly } from '../../access/own-only.js';
import type { DecisionStore } from '../../store/decision-store.js';
import { STORE } from '../../tokens.js';
import { onlyForTenants } from '../sums/only-for-tenants.js';
import { sampledIn } from '../sums/sampling.js';
import { sumsFilter } from '../sums/sums-filter.js';
import { sumsJson } from '../sums/sums-json.js';
import { sumsRange } from '../sums/sums-range.js';
import type { TopList } from './top.dto.js';
import { TOP_DIMENSIONS, topLimit, type TopQuery } from './top-query.dto.js';

/** Who is refused most, or asks most. */
@Injectable()
export class TopService {
  constructor(@Inject(STORE) private readonly store: DecisionStore) {}

  /** @throws ProblemException 400 for a range that is none, 403 for what is not the caller's */
  async list(query: TopQuery, caller: Caller): Promise<TopList> {
    const { by, measure = 'refused' } = query;
    onlyForTenants(caller, by, ['key', 'rule', 'endpoint']);
    const range = sumsRange(query);
    const limit = topLimit(query);
    const rows = await this.store.aggregate({
      filter: ownOnly(caller, sumsFilter(query, range)),
      groupBy: [TOP_DIMENSIONS[by]],
      // Who was never refused is not among those who were refused most.
      atLeast: { measure, value: 1 },
      orderBy: measure,
      // One more for those of whom it is not known, who are nobody.
      limit: limit + 1,
    });
    const sampled = await sampledIn(this.store, ownOnly(caller, range), rows);
    const top = rows.flatMap((row) => {
      const [group = null] = row.group;
      return group === null ? [] : [{ group, ...sumsJson(row, sampled), first_at: new Date(row.firstMs).toISOString(), last_at: new Date(row.lastMs).toISOString() }];
    });
    return { top: top.slice(0, limit), by, measure, from: new Date(range.fromMs).toISOString(), to: new Date(range.toMs).toISOString() };
  }
}
