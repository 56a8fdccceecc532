import { LRUCache } from 'lru-cache';
import type { Caller, KeyLookup } from './caller.js';
import { keyHash } from './key-hash.js';
import type { KeyAnswer, KeySource } from './key-source.js';
import { Outage } from './outage.js';
import { type Asked, type Question, Questions } from './questions.js';

export interface KeyDirectoryOptions {
  readonly source: KeySource;
  /**
   * Longest that an answer is taken without asking again, ms, from when it was asked for: a disabled key stops, and a new one works, within it, as long as the
   * control plane answers as fast as it is asked. Default 2000.
   */
  readonly ttlMs?: number;
  /** How long an answer outlives {@link ttlMs} while the control plane cannot be asked, ms (R43). Default 24 h. */
  readonly staleIfErrorMs?: number;
  /** Most known keys remembered, least recently used go first. Default 100,000. */
  readonly maxKeys?: number;
  /** Most unknown and disabled keys remembered, apart, so that guessing keys pushes no good one out. Default 10,000. */
  readonly maxRefused?: number;
  /**
   * Most lookups under way or in line for keys that are not known; beyond it those that nothing is remembered of are `unavailable`, so that guessing keys
   * does not flood the control plane. Default 256.
   */
  readonly maxStrangers?: number;
  /** Most lookups under way for known keys. The others wait their turn, and are served meanwhile. Default 32. */
  readonly maxUnderWay?: number;
  /** Told of each failed lookup; for logs and metrics. */
  readonly onFailure?: (error: unknown) => void;
  /** Monotonic clock, ms. */
  readonly nowMs?: () => number;
}

/** A key as the control plane has confirmed it. Neither the key nor a secret. */
export interface ConfirmedKey {
  /** Hex SHA-256 of the key. */
  readonly keyHash: string;
  readonly caller: Caller;
  /** How long ago it was confirmed, ms. */
  readonly ageMs: number;
  /** The secret was replaced by another one and is good for so long, ms; absent: until the control plane says something else. */
  readonly validForMs?: number;
}

/** Who API keys belong to, remembered. */
export interface KeyDirectory {
  /** Synchronous when the answer is remembered. Never rejects. */
  lookup(apiKey: string): KeyLookup | Promise<KeyLookup>;
  /** Something changed: what is remembered is asked again at its next use, which does not wait for it. What was asked before and is answered later is doubted, too. */
  doubtAll(): void;
  /** The keys that are served while the control plane is away, least recently used first; for a copy that outlives the process (R43). */
  confirmed(): readonly ConfirmedKey[];
  /** How many {@link confirmed} has. */
  countConfirmed(): number;
  /**
   * Takes what an earlier process had confirmed, in the order of {@link confirmed}. Each key's time goes on from when it was confirmed: past
   * `ttlMs` it is asked about at its first use, and it stands for `staleIfErrorMs` if there is no answer. What is remembered already is left.
   *
   * @returns how many were young enough to be taken
   */
  restore(keys: readonly ConfirmedKey[]): number;
  readonly stats: KeyDirectoryStats;
}

export interface KeyDirectoryStats {
  /** Questions sent to the source, and those that failed. */
  lookups: number;
  failures: number;
  /** Answers given past their time, since the source did not answer, or not yet. */
  stale: number;
  /** Grows when {@link KeyDirectory.confirmed} would name other keys or callers, by what the source said. */
  changes: number;
  /** Known keys that the source said the same of again. */
  confirmations: number;
}

interface Remembered {
  readonly answer: KeyAnswer;
  /** Of the question that it answers; 0 for what another process has asked. */
  readonly number: number;
  /** When it was asked: what has become of the key since then is not known. */
  readonly atMs: number;
  /** From when on the secret is good no longer, whoever can be asked; Infinity for most. */
  readonly endsAtMs: number;
}

const UNKNOWN = { kind: 'unknown' } as const;
const FAILURES_TO_OPEN = 3;
const PROBE_EVERY_MS = 1000;
/** How long past its time a known caller is served at once while the question about it stands in line. */
const IN_LINE_MS = 10_000;
/** Longest that a request waits for a question that stands in line. */
const WAIT_MS = 1000;

/**
 * Remembers answers for `ttlMs`. From half of it on, the next request asks again without waiting, so that a busy key never
 * waits; past it, requests wait for the one question about that key. While the source is away the last answer stands, and for a while when it is asked more
 * than it can answer.
 */
export function createKeyDirectory(options: KeyDirectoryOptions): KeyDirectory {
  const { source, ttlMs = 2000, staleIfErrorMs = 86_400_000, maxStrangers = 256, maxUnderWay = 32, onFailure, nowMs = () => performance.now() } = options;
  const known = remembering(options.maxKeys ?? 100_000);
  const refused = remembering(options.maxRefused ?? 10_000);
  const outage = new Outage(FAILURES_TO_OPEN, PROBE_EVERY_MS, nowMs);
  const stats = {
    get lookups() {
      return questions.sent;
    },
    failures: 0,
    stale: 0,
    changes: 0,
    confirmations: 0,
  };
  const questions = new Questions({
    source,
    maxUnderWay,
    maxStrangers,
    outage,
    nowMs,
    onAnswer: remember,
    onFailure: (error) => {
      stats.failures += 1;
      onFailure?.(error);
    },
  });

  function remembering(max: number) {
    return new LRUCache<string, Remembered>({ max });
  }

  function remember(hash: string, answer: KeyAnswer, { number, atMs }: Asked): void {
    const newest = known.peek(hash) ?? refused.peek(hash);
    if (newest !== undefined && newest.number > number) return;
    const before = known.peek(hash)?.answer;
    if (answer.kind !== 'known') stats.changes += before === undefined ? 0 : 1;
    else if (before?.kind === 'known' && sameCaller(before.caller, answer.caller)) stats.confirmations += 1;
    else stats.changes += 1;
    const [into, outOf] = answer.kind === 'known' ? [known, refused] : [refused, known];
    outOf.delete(hash);
    into.set(hash, { answer, number, atMs, endsAtMs: endOf(answer, atMs) });
  }

  function standsUntilMs({ atMs, endsAtMs }: Pick<Remembered, 'atMs' | 'endsAtMs'>): number {
    return Math.min(endsAtMs, atMs + ttlMs + staleIfErrorMs);
  }

  /** What is remembered of a key. A secret that was replaced ends by time alone, as a key that nobody knows. */
  function live(hash: string): Remembered | undefined {
    const entry = known.get(hash) ?? refused.get(hash);
    if (entry === undefined || nowMs() <= entry.endsAtMs) return entry;
    known.delete(hash);
    stats.changes += 1;
    const ended: Remembered = { answer: UNKNOWN, number: entry.number, atMs: entry.endsAtMs, endsAtMs: Infinity };
    refused.set(hash, ended);
    return ended;
  }

  /** The answer there is when the source gives none. */
  function without(entry: Remembered | undefined): KeyLookup {
    if (entry === undefined || nowMs() > standsUntilMs(entry)) return { kind: 'unavailable', retryAfterMs: PROBE_EVERY_MS };
    stats.stale += 1;
    return entry.answer;
  }

  return {
    stats,
    doubtAll() {
      questions.doubtAll();
    },
    confirmed() {
      const now = nowMs();
      const keys: ConfirmedKey[] = [];
      for (const [hash, entry] of known.entries()) {
        const { answer, atMs, endsAtMs } = entry;
        if (answer.kind !== 'known' || now > standsUntilMs(entry)) continue;
        keys.push({ keyHash: hash, caller: answer.caller, ageMs: now - atMs, ...(endsAtMs === Infinity ? {} : { validForMs: endsAtMs - now }) });
      }
      return keys.reverse();
    },
    countConfirmed() {
      const now = nowMs();
      let count = 0;
      for (const entry of known.values()) if (now <= standsUntilMs(entry)) count += 1;
      return count;
    },
    restore(keys) {
      const now = nowMs();
      let taken = 0;
      for (const { keyHash: hash, caller, ageMs, validForMs = Infinity } of keys) {
        const entry: Remembered = { answer: { kind: 'known', caller }, number: 0, atMs: now - ageMs, endsAtMs: now + validForMs };
        if (now > standsUntilMs(entry) || known.has(hash) || refused.has(hash)) continue;
        known.set(hash, entry);
        taken += 1;
      }
      return taken;
    },
    lookup(apiKey) {
      const hash = keyHash(apiKey);
      if (hash === undefined) return UNKNOWN;
      const entry = live(hash);
      const ageMs = entry === undefined ? Number.POSITIVE_INFINITY : nowMs() - entry.atMs;
      if (entry !== undefined && ageMs < ttlMs / 2 && !questions.isDoubted(entry.number)) return entry.answer;
      const isKnown = entry?.answer.kind === 'known';
      const question = questions.about(hash, isKnown);
      if (entry !== undefined && ageMs < ttlMs) return entry.answer;
      if (question === undefined) return without(entry);
      const isServed = isKnown && question.asked === undefined && ageMs < ttlMs + IN_LINE_MS;
      if (entry !== undefined && (outage.open || isServed)) return without(entry);
      return inTime(question).then((answer) => answer ?? without(entry));
    },
  };
}

/** Its answer, as far as there is one in time. The source bounds what is asked already. */
function inTime({ asked, answer }: Question): Question['answer'] {
  if (asked !== undefined) return answer;
  return Promise.race([answer, new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), WAIT_MS).unref())]);
}

function endOf(answer: KeyAnswer, atMs: number): number {
  return answer.kind === 'known' && answer.validForMs !== undefined ? atMs + answer.validForMs : Infinity;
}

function sameCaller(a: Caller, b: Caller): boolean {
  return a.keyId === b.keyId && a.tenantId === b.tenantId && a.plan === b.plan;
}
