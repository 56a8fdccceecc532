import { Inject, Injectable } from '@nestjs/common';
import { attributeText, type DecisionKind, type StandardAttribute } from '@sluice/events';
import type { Caller } from '../../access/caller.js';
import { ownOnly } from '../../access/own-only.js';
import { invalid } from '../../input/invalid.js';
import { timeRange, type TimeRange } from '../../input/time-range.js';
import type { DecisionFilter } from '../../store/decision-filter.js';
import type { DecisionStore } from '../../store/decision-store.js';
import { STORE } from '../../tokens.js';
import { questionDigest, readCursor, writeCursor } from './decision-cursor.js';
import type { DecisionPage } from './decision.dto.js';
import { decisionJson } from './decision-json.js';
import { type DecisionsQuery, pageLimit } from './decisions-query.dto.js';
import { kindsOf } from './kinds-of.js';

const ATTRIBUTES = ['key_id', 'tenant_id', 'ip', 'user_id', 'endpoint'] as const satisfies readonly StandardAttribute[];

/** Pages of decisions. */
@Injectable()
export class DecisionsService {
  constructor(@Inject(STORE) private readonly store: DecisionStore) {}

  /** @throws ProblemException 400 for a range that is none, or a cursor of another question; 403 for what is not the caller's */
  async page(query: DecisionsQuery, caller: Caller): Promise<DecisionPage> {
    const { limit: _limit, cursor, ...question } = query;
    const digest = questionDigest({ ...question, of: caller.tenantId });
    const place = cursor === undefined ? undefined : readCursor(digest, cursor);
    if (cursor !== undefined && place === undefined) throw invalid([{ pointer: '/query/cursor', detail: 'must be the next_cursor of a page with the same other parameters' }]);
    const range = place?.range ?? timeRange(query);
    const limit = pageLimit(query);
    const found = await this.store.find(ownOnly(caller, filterOf(query, range, kindsOf(query.kind, caller))), limit + 1, place?.after);
    const events = found.slice(0, limit);
    const last = events.at(-1);
    return {
      decisions: events.map((event) => decisionJson(event, { forTenant: caller.role === 'tenant' })),
      next_cursor: found.length > limit && last !== undefined ? writeCursor(digest, { range, after: { atMs: last.at_ms, eventId: last.event_id } }) : null,
      from: new Date(range.fromMs).toISOString(),
      to: new Date(range.toMs).toISOString(),
    };
  }
}

function filterOf(query: DecisionsQuery, range: TimeRange, kinds: readonly DecisionKind[]): DecisionFilter {
  const { rule_id: ruleId, region, reason, allowed } = query;
  const attributes = Object.fromEntries(ATTRIBUTES.flatMap((name) => (query[name] === undefined ? [] : [[name, attributeText(query[name])]])));
  return {
    ...range,
    kinds,
    ...(allowed === undefined ? {} : { allowed: allowed === 'true' }),
    ...(ruleId === undefined ? {} : { ruleId }),
    ...(region === undefined ? {} : { region }),
    ...(reason === undefined ? {} : { reason }),
    attributes,
  };
}
