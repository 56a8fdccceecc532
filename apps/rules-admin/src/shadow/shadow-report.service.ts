import { Injectable } from '@nestjs/common';
import { proposedId } from '@sluice/rules';
import type { EntityManager } from 'typeorm';
import { ConfigReader } from '../database/config-reader.js';
import { PROPOSALS, RULES } from '../database/tables.js';
import { invalid } from '../input/invalid.js';
import { nothingThere, notFound } from '../input/not-found.js';
import { pageLimit } from '../paging/list-query.dto.js';
import { cappedSum } from './capped-sum.js';
import { type KeyPlace, readKeyCursor, writeKeyCursor } from './key-cursor.js';
import { EVERY_KEY } from './shadow-count.entity.js';
import type { ShadowBucket, ShadowKey, ShadowReportQuery, ShadowReportResource, Subject } from './shadow-report.dto.js';

const HOUR_MS = 3_600_000;
/** Counts of what is older were removed. */
const LONGEST_MS = 168 * HOUR_MS;

interface Subjected {
  readonly of: Subject;
  readonly version: number;
}

interface Counts {
  /** bigint sums, as text. */
  readonly allowed: string;
  readonly denied: string;
}

/** Reads what rules in shadow would have refused (R58). */
@Injectable()
export class ShadowReportService {
  constructor(private readonly reader: ConfigReader) {}

  /** @throws ProblemException 404 for a rule that is neither in shadow nor has a proposal and for a version that never was, 400 for a time that is none */
  report(ruleId: string, query: ShadowReportQuery): Promise<ShadowReportResource> {
    const { fromMs, toMs } = timeOf(query);
    const place = query.cursor === undefined ? undefined : readKeyCursor(query.cursor);
    if (query.cursor !== undefined && place === undefined) throw invalid([{ pointer: '/query/cursor', detail: 'must be the next_cursor of a report' }]);
    return this.reader.consistently(async (manager) => {
      const { of, version } = await subjectOf(manager, ruleId, query);
      const where = `rule_id = $1 AND rule_version = $2 AND starts_at >= $3 AND starts_at < $4`;
      const which = [of === 'proposal' ? proposedId(ruleId) : ruleId, version, new Date(fromMs), new Date(toMs)];
      const key = query.key_id ?? EVERY_KEY;
      const bucketSeconds = bucketOf(toMs - fromMs);
      const buckets = await manager.query<(Counts & { readonly unknown: string; readonly starts_at: Date })[]>(
        `SELECT date_bin($6 * interval '1 second', starts_at, 'epoch') AS starts_at, ${cappedSum('allowed')} AS allowed, ${cappedSum('denied')} AS denied, ${cappedSum('unknown')} AS unknown
         FROM shadow_count WHERE ${where} AND key = $5 GROUP BY 1 ORDER BY 1`,
        [...which, key, bucketSeconds],
      );
      const keys = await keysOf(manager, where, which, { limit: pageLimit(query), after: place, only: query.key_id });
      const totals = buckets.reduce((sum, bucket) => plus(sum, countsOf(bucket)), NOTHING);
      const unknown = buckets.reduce((sum, bucket) => sum + Number(bucket.unknown), 0);
      return {
        rule_id: ruleId,
        of,
        version,
        from: new Date(fromMs).toISOString(),
        to: new Date(toMs).toISOString(),
        complete_until: await completeUntil(manager, toMs),
        sampled: false,
        totals: { ...totals, share: totals.evaluated === 0 ? 0 : totals.would_refuse / totals.evaluated, unknown },
        bucket_seconds: bucketSeconds,
        over_time: buckets.map((bucket): ShadowBucket => ({ starts_at: bucket.starts_at.toISOString(), ...countsOf(bucket) })),
        by_key: [...keys.page],
        ...(query.key_id === undefined ? { other: { evaluated: Math.max(0, totals.evaluated - keys.named.evaluated), would_refuse: Math.max(0, totals.would_refuse - keys.named.would_refuse) } } : {}),
        next_cursor: keys.nextCursor,
      };
    });
  }
}

interface KeysRequest {
  readonly limit: number;
  readonly after: KeyPlace | undefined;
  readonly only: string | undefined;
}

interface Totals {
  readonly evaluated: number;
  readonly would_refuse: number;
}

const NOTHING: Totals = { evaluated: 0, would_refuse: 0 };

/** A page of the keys, and the sum of all of them. */
async function keysOf(
  manager: EntityManager,
  where: string,
  which: readonly unknown[],
  { limit, after, only }: KeysRequest,
): Promise<{ readonly page: readonly ShadowKey[]; readonly named: Totals; readonly nextCursor: string | null }> {
  const named = `${where} AND key <> '${EVERY_KEY}'`;
  const [sum] = await manager.query<Counts[]>(`SELECT coalesce(${cappedSum('allowed')}, 0) AS allowed, coalesce(${cappedSum('denied')}, 0) AS denied FROM shadow_count WHERE ${named}`, [...which]);
  const rows = await manager.query<(Counts & { readonly key: string })[]>(
    `SELECT key, ${cappedSum('allowed')} AS allowed, ${cappedSum('denied')} AS denied FROM shadow_count WHERE ${named} AND ($5::text IS NULL OR key = $5)
     GROUP BY key HAVING $6::bigint IS NULL OR ${cappedSum('denied')} < $6 OR (${cappedSum('denied')} = $6 AND key > $7) ORDER BY ${cappedSum('denied')} DESC, key LIMIT $8`,
    [...which, only ?? null, after?.denied ?? null, after?.key ?? null, limit + 1],
  );
  const page = rows.slice(0, limit).map((row): ShadowKey => ({ key: row.key, ...countsOf(row) }));
  const last = page.at(-1);
  const nextCursor = rows.length > limit && last !== undefined ? writeKeyCursor({ denied: last.would_refuse, key: last.key }) : null;
  return { page, named: sum === undefined ? NOTHING : countsOf(sum), nextCursor };
}

function countsOf({ allowed, denied }: Counts): Totals {
  return { evaluated: Number(allowed) + Number(denied), would_refuse: Number(denied) };
}

function plus(a: Totals, b: Totals): Totals {
  return { evaluated: a.evaluated + b.evaluated, would_refuse: a.would_refuse + b.would_refuse };
}

async function subjectOf(manager: EntityManager, ruleId: string, { of, version }: ShadowReportQuery): Promise<Subjected> {
  const [rule, proposal] = [await RULES.find(manager, ruleId), await PROPOSALS.find(manager, ruleId)];
  if (rule === null) throw notFound(`Rule ${ruleId}`);
  await refuseUnknownVersion(manager, ruleId, of ?? (proposal === null ? 'rule' : 'proposal'), version);
  if (of !== undefined && version !== undefined) return { of, version: Number(version) };
  const meant = of ?? (proposal === null ? 'rule' : 'proposal');
  if (meant === 'proposal' && proposal !== null) return { of: meant, version: version === undefined ? proposal.version : Number(version) };
  if (meant === 'rule' && rule.definition.mode === 'shadow') return { of: meant, version: version === undefined ? rule.version : Number(version) };
  if (meant === 'proposal') throw notFound(`A proposal of rule ${ruleId}`);
  throw nothingThere(`Rule ${ruleId} is not in shadow${of === undefined ? ' and has no proposal' : ''}: there is nothing to report of it now. Versions that were in shadow are named by of and version.`);
}

/** Versions count on from 1, also over a deletion, so that all up to the last one were there. */
async function refuseUnknownVersion(manager: EntityManager, ruleId: string, of: Subject, version: string | undefined): Promise<void> {
  if (version === undefined) return;
  const last = (await (of === 'rule' ? RULES : PROPOSALS).lastVersion(manager, ruleId)) ?? 0;
  if (Number(version) > last) throw notFound(`Version ${version} of ${of === 'rule' ? '' : 'the proposal of '}rule ${ruleId}`);
}

function timeOf({ from, to }: ShadowReportQuery): { readonly fromMs: number; readonly toMs: number } {
  const toMs = to === undefined ? Date.now() : Date.parse(to);
  const fromMs = Math.floor((from === undefined ? toMs - HOUR_MS : Date.parse(from)) / 60_000) * 60_000;
  if (fromMs >= toMs) throw invalid([{ pointer: '/query/from', detail: 'must be before to' }]);
  if (toMs - fromMs > LONGEST_MS + HOUR_MS) throw invalid([{ pointer: '/query/from', detail: 'must be at most 7 days before to' }]);
  return { fromMs, toMs };
}

function bucketOf(spanMs: number): number {
  if (spanMs <= 2 * HOUR_MS) return 60;
  return spanMs <= 24 * HOUR_MS ? 300 : 3_600;
}

/** A node that was not heard of for ten minutes has lost what it counted. */
async function completeUntil(manager: EntityManager, toMs: number): Promise<string | null> {
  const [found] = await manager.query<{ readonly until: Date | null }[]>(`SELECT min(complete_until) AS until FROM shadow_node WHERE seen_at > clock_timestamp() - interval '10 minutes'`);
  return found?.until == null ? null : new Date(Math.min(toMs, found.until.getTime())).toISOString();
}
