import type { DecisionStore } from '../store/decision-store.js';
import type { DecisionFilter } from '../store/decision-filter.js';
import type { AbusePattern, JumpPattern, KeysPerAddressPattern, RefusalsPattern, UnauthenticatedPattern } from './pattern.js';
import { fullestWindow, type Span, spanAt, widestWindow } from './span.js';
import { MOST_KEYS, MOST_SUSPECTS, type Suspect } from './suspect.js';

/** Most rows of one suspect's history; steps are few, keys of an address may be many. */
const MOST_ROWS = 20_000;

/** What a look is made with. */
export interface Look {
  readonly store: Pick<DecisionStore, 'aggregate'>;
  readonly nowMs: number;
  readonly latenessMs: number;
  /** Subjects that something is done about already; they take nobody's place. */
  readonly held: ReadonlySet<string>;
}

/**
 * Looks for one pattern in what is stored, by the times of the events: whatever came late since the last look is seen by this one, and a restart forgets
 * nothing (R84).
 */
export function suspectsOf(pattern: AbusePattern, look: Look): Promise<readonly Suspect[]> {
  switch (pattern.kind) {
    case 'refusals':
      return refusals(pattern, look);
    case 'keys_per_address':
      return keysPerAddress(pattern, look);
    case 'jump':
      return jumps(pattern, look);
    case 'unauthenticated':
      return unauthenticated(pattern, look);
  }
}

function spanOf({ windowMs }: AbusePattern, { nowMs, latenessMs }: Look): Span {
  return spanAt(nowMs, windowMs, latenessMs);
}

async function refusals(pattern: RefusalsPattern, look: Look): Promise<readonly Suspect[]> {
  const span = spanOf(pattern, look);
  const filter: DecisionFilter = { fromMs: span.fromMs, toMs: span.toMs, allowed: false };
  // Whoever has too many in some window has too many in all of them together.
  const worst = await look.store.aggregate({ filter, groupBy: ['key_id'], atLeast: { measure: 'refused', value: pattern.threshold + 1 }, orderBy: 'refused', limit: MOST_SUSPECTS + look.held.size });
  const found: Suspect[] = [];
  for (const keyId of subjects(worst, look)) {
    const rows = await look.store.aggregate({ filter: { ...filter, attributes: { key_id: keyId } }, groupBy: [], bucketMs: span.stepMs, limit: MOST_ROWS });
    const { endMs, sum } = fullestWindow(span, rows.map(({ bucketMs, refused }) => [bucketMs ?? 0, refused]));
    if (sum > pattern.threshold) found.push({ subjectKind: 'key', subject: keyId, keyIds: [keyId], windowEndMs: endMs, observed: sum, standardError: 0, threshold: pattern.threshold });
  }
  return found;
}

async function keysPerAddress(pattern: KeysPerAddressPattern, look: Look): Promise<readonly Suspect[]> {
  const span = spanOf(pattern, look);
  const filter: DecisionFilter = { fromMs: span.fromMs, toMs: span.toMs };
  const worst = await look.store.aggregate({ filter, groupBy: ['ip'], distinctKeys: true, atLeast: { measure: 'distinct_keys', value: pattern.threshold + 1 }, orderBy: 'distinct_keys', limit: MOST_SUSPECTS + look.held.size });
  const found: Suspect[] = [];
  for (const ip of subjects(worst, look)) {
    const rows = await look.store.aggregate({ filter: { ...filter, attributes: { ip } }, groupBy: ['key_id'], bucketMs: span.stepMs, limit: MOST_ROWS });
    const { endMs, sum, members } = widestWindow(span, rows.flatMap(({ bucketMs, group: [keyId] }) => (keyId == null ? [] : [[bucketMs ?? 0, keyId] as const])));
    if (sum > pattern.threshold) found.push({ subjectKind: 'ip', subject: ip, keyIds: members.slice(0, MOST_KEYS), windowEndMs: endMs, observed: sum, standardError: 0, threshold: pattern.threshold });
  }
  return found;
}

async function jumps(pattern: JumpPattern, look: Look): Promise<readonly Suspect[]> {
  const span = spanOf(pattern, look);
  const filter: DecisionFilter = { fromMs: span.fromMs, toMs: span.toMs };
  const busiest = await look.store.aggregate({ filter, groupBy: ['key_id'], atLeast: { measure: 'requests', value: pattern.least }, orderBy: 'requests', limit: MOST_SUSPECTS + look.held.size });
  const found: Suspect[] = [];
  for (const keyId of subjects(busiest, look)) {
    const attributes = { key_id: keyId };
    const rows = await look.store.aggregate({ filter: { ...filter, attributes }, groupBy: [], bucketMs: span.stepMs, limit: MOST_ROWS });
    const { endMs, sum } = fullestWindow(span, rows.map(({ bucketMs, requests }) => [bucketMs ?? 0, requests]));
    if (sum < pattern.least) continue;
    const norm = await normOf(pattern, attributes, span, look);
    if (norm === undefined || sum < pattern.factor * norm) continue;
    const variance = rows.filter(({ bucketMs = 0 }) => bucketMs >= endMs - span.windowMs && bucketMs < endMs).reduce((all, row) => all + row.variance, 0);
    found.push({ subjectKind: 'key', subject: keyId, keyIds: [keyId], windowEndMs: endMs, observed: sum, standardError: Math.sqrt(variance), threshold: pattern.factor * norm });
  }
  return found;
}

/** Requests that a key made in a window on average, before; undefined of a key that was not there a whole day before, which has no norm yet. */
async function normOf({ normMs }: JumpPattern, attributes: { readonly key_id: string }, span: Span, { store }: Look): Promise<number | undefined> {
  const [row] = await store.aggregate({ filter: { fromMs: span.fromMs - normMs, toMs: span.fromMs, attributes }, groupBy: [], limit: 1 });
  if (row === undefined) return undefined;
  const lengthMs = span.fromMs - row.firstMs;
  return lengthMs < DAY_MS ? undefined : row.requests / (lengthMs / span.windowMs);
}

const DAY_MS = 86_400_000;

async function unauthenticated(pattern: UnauthenticatedPattern, look: Look): Promise<readonly Suspect[]> {
  const span = spanOf(pattern, look);
  const filter: DecisionFilter = { fromMs: span.fromMs, toMs: span.toMs, kinds: ['unauthenticated'] };
  const worst = await look.store.aggregate({ filter, groupBy: ['ip'], atLeast: { measure: 'requests', value: pattern.threshold + 1 }, orderBy: 'requests', limit: MOST_SUSPECTS + look.held.size });
  const found: Suspect[] = [];
  for (const ip of subjects(worst, look)) {
    const rows = await look.store.aggregate({ filter: { ...filter, attributes: { ip } }, groupBy: [], bucketMs: span.stepMs, limit: MOST_ROWS });
    const { endMs, sum } = fullestWindow(span, rows.map(({ bucketMs, requests }) => [bucketMs ?? 0, requests]));
    if (sum > pattern.threshold) found.push({ subjectKind: 'ip', subject: ip, keyIds: [], windowEndMs: endMs, observed: sum, standardError: 0, threshold: pattern.threshold });
  }
  return found;
}

/** Those that are named, and about whom nothing is done yet. */
function subjects(rows: readonly { readonly group: readonly (string | null)[] }[], { held }: Look): string[] {
  return rows.flatMap(({ group: [subject] }) => (subject == null || held.has(subject) ? [] : [subject]));
}
