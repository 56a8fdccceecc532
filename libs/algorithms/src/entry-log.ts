/** Up to {@link CHUNK} entries, oldest first. */
interface Chunk {
  readonly atMs: readonly number[];
  readonly counts: readonly number[];
  readonly total: number;
}

/**
 * A queue of (ms, count), oldest first, that is never changed in place. An append copies one chunk and, once in 64, the list of
 * chunks; so a take costs some 64 + n / 4096 words instead of n. 16 bytes an entry.
 */
export interface EntryLog {
  /** Sealed chunks, oldest first; the newest entries are in `tail`. */
  readonly sealed: readonly Chunk[];
  readonly tail: Chunk;
  /** Entries at the front of the oldest chunk that have been dropped. */
  readonly dropped: number;
  /** Sum of the counts that have not been dropped. */
  readonly total: number;
}

/** Where an entry is: in which chunk (`sealed.length` is the tail) and where in it. */
interface Place {
  readonly chunk: number;
  readonly index: number;
}

const CHUNK = 64;
const NOTHING: Chunk = { atMs: [], counts: [], total: 0 };

export const EMPTY_LOG: EntryLog = { sealed: [], tail: NOTHING, dropped: 0, total: 0 };

function chunkOf(log: EntryLog, chunk: number): Chunk {
  return log.sealed[chunk] ?? log.tail;
}

function countAt(log: EntryLog, { chunk, index }: Place): number {
  return chunkOf(log, chunk).counts[index] ?? 0;
}

/** Ms of the newest entry; undefined when there is none. */
export function newestMs(log: EntryLog): number | undefined {
  return log.tail.atMs.at(-1);
}

/** The log with `count` more at `nowMs`, which is not before the newest entry; one entry a ms. */
export function append(untrimmed: EntryLog, nowMs: number, count: number): EntryLog {
  const log = trimTail(untrimmed);
  const { sealed, tail } = log;
  const total = log.total + count;
  if (newestMs(log) === nowMs) {
    return { ...log, total, tail: withCount(tail, tail.counts.length - 1, (tail.counts.at(-1) ?? 0) + count) };
  }
  if (tail.atMs.length < CHUNK) {
    return { ...log, total, tail: { atMs: withLast(tail.atMs, nowMs), counts: withLast(tail.counts, count), total: tail.total + count } };
  }
  return { ...log, total, sealed: withLast(sealed, tail), tail: { atMs: [nowMs], counts: [count], total: count } };
}

/** The log without the entries at or before `cutoffMs`. */
export function dropUntil(log: EntryLog, cutoffMs: number): EntryLog {
  if ((newestMs(log) ?? cutoffMs) <= cutoffMs) return EMPTY_LOG;
  let { dropped, total } = log;
  let chunk = 0;
  while ((chunkOf(log, chunk).atMs.at(-1) ?? cutoffMs) <= cutoffMs) {
    total -= liveTotal(chunkOf(log, chunk), dropped);
    dropped = 0;
    chunk += 1;
  }
  const { atMs, counts } = chunkOf(log, chunk);
  for (let at = atMs[dropped]; at !== undefined && at <= cutoffMs; at = atMs[dropped]) {
    total -= counts[dropped] ?? 0;
    dropped += 1;
  }
  return total === log.total ? log : { sealed: chunk === 0 ? log.sealed : log.sealed.slice(chunk), tail: log.tail, dropped, total };
}

/** Ms of the entry with which the oldest entries together reach `count`; `count` is at most the total. */
export function reachesAtMs(log: EntryLog, count: number): number {
  let missing = count;
  let chunk = 0;
  let index = log.dropped;
  for (let live = liveTotal(chunkOf(log, 0), index); live < missing && chunk < log.sealed.length; live = chunkOf(log, chunk).total) {
    missing -= live;
    chunk += 1;
    index = 0;
  }
  const { atMs, counts } = chunkOf(log, chunk);
  while ((counts[index] ?? missing) < missing) {
    missing -= counts[index] ?? 0;
    index += 1;
  }
  return atMs[index] ?? 0;
}

/** Takes up to `amount` off the entry at `atMs`; an entry that falls to 0 goes. Nothing is taken off one with more than `mostAfter` entries after it. */
export function takeOff(log: EntryLog, atMs: number, amount: number, mostAfter = Infinity): { readonly taken: number; readonly log: EntryLog } {
  const place = find(log, atMs);
  if (place === undefined || entriesAfter(log, place) > mostAfter) return { taken: 0, log };
  const count = countAt(log, place);
  const taken = Math.min(amount, count);
  const chunk = chunkOf(log, place.chunk);
  const rest = taken < count ? withCount(chunk, place.index, count - taken) : without(chunk, place.index);
  return { taken, log: withChunk({ ...log, total: log.total - taken }, place.chunk, rest) };
}

/** A copy of the exact size, which `[...list, last]` is not: it reserves half as much again. */
function withLast<T>(list: readonly T[], last: T): readonly T[] {
  return list.toSpliced(list.length, 0, last);
}

function find(log: EntryLog, atMs: number): Place | undefined {
  const older = log.sealed.findIndex((each) => (each.atMs.at(-1) ?? 0) >= atMs);
  const chunk = older < 0 ? log.sealed.length : older;
  const index = chunkOf(log, chunk).atMs.indexOf(atMs, chunk === 0 ? log.dropped : 0);
  return index < 0 ? undefined : { chunk, index };
}

function entriesAfter(log: EntryLog, { chunk, index }: Place): number {
  let after = chunkOf(log, chunk).atMs.length - 1 - index;
  for (let later = chunk + 1; later <= log.sealed.length; later += 1) after += chunkOf(log, later).atMs.length;
  return after;
}

/** Without what has been dropped of the tail, so that its total is never above that of the log, which stays below 2^53. */
function trimTail(log: EntryLog): EntryLog {
  if (log.dropped === 0 || log.sealed.length > 0) return log;
  const { atMs, counts } = log.tail;
  return { ...log, dropped: 0, tail: { atMs: atMs.slice(log.dropped), counts: counts.slice(log.dropped), total: log.total } };
}

function liveTotal(chunk: Chunk, dropped: number): number {
  let total = chunk.total;
  for (let index = 0; index < dropped; index += 1) total -= chunk.counts[index] ?? 0;
  return total;
}

function withCount(chunk: Chunk, index: number, count: number): Chunk {
  const total = chunk.total - (chunk.counts[index] ?? 0) + count;
  return { atMs: chunk.atMs, counts: chunk.counts.with(index, count), total };
}

function without(chunk: Chunk, index: number): Chunk {
  const total = chunk.total - (chunk.counts[index] ?? 0);
  return { atMs: chunk.atMs.toSpliced(index, 1), counts: chunk.counts.toSpliced(index, 1), total };
}

/** The log with another chunk in a place; one without live entries leaves the queue. */
function withChunk(log: EntryLog, place: number, chunk: Chunk): EntryLog {
  const live = chunk.atMs.length > (place === 0 ? log.dropped : 0);
  const dropped = place === 0 && !live ? 0 : log.dropped;
  if (place < log.sealed.length) {
    return { ...log, dropped, sealed: live ? log.sealed.with(place, chunk) : log.sealed.toSpliced(place, 1) };
  }
  if (live) return { ...log, tail: chunk };
  return { ...log, dropped, sealed: log.sealed.slice(0, -1), tail: log.sealed.at(-1) ?? NOTHING };
}
