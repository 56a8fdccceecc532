import { LRUCache } from 'lru-cache';
import type { Caller, KeyLookup } from './caller.js';
import { keyHash } from './key-hash.js';
import type { KeyAnswer, KeySource } from './key-source.js';
import { Outage } from './outage.js';

export interface KeyDirectoryOptions {
  readonly source: KeySource;
  /** Longest that an answer is taken without asking again, ms: a disabled key stops, and a new one works, within it. Default 2000. */
  readonly ttlMs?: number;
  /** How long an answer outlives {@link ttlMs} while the control plane cannot be asked, ms (R43). Default 24 h. */
  readonly staleIfErrorMs?: number;
  /** Most known keys remembered, least recently used go first. Default 100,000. */
  readonly maxKeys?: number;
  /** Most unknown and disabled keys remembered, apart, so that guessing keys pushes no good one out. Default 10,000. */
  readonly maxRefused?: number;
  /** Most lookups under way for keys that nothing is known of; beyond it they are `unavailable`, so that guessing keys does not
   * flood the control plane. Default 256. */
  readonly maxStrangers?: number;
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
  /** Something changed: what is remembered is asked again at its next use, which does not wait for it. */
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
  /** Answers given past their time, since the source did not answer. */
  stale: number;
  /** Grows when {@link KeyDirectory.confirmed} would name other keys or callers, by what the source said. */
  changes: number;
  /** Known keys that the source said the same of again. */
  confirmations: number;
}

interface Remembered {
  readonly answer: KeyAnswer;
  readonly atMs: number;
  /** From when on the secret is good no longer, whoever can be asked; Infinity for most. */
  readonly endsAtMs: number;
}

const UNKNOWN = { kind: 'unknown' } as const;
const FAILURES_TO_OPEN = 3;
const PROBE_EVERY_MS = 1000;

/**
 * Remembers answers for `ttlMs`. From half of it on, the next request asks again without waiting, so that a busy key never
 * waits; past it, requests wait for the one question about that key. While the source is away the last answer stands.
 */
export function createKeyDirectory(options: KeyDirectoryOptions): KeyDirectory {
  const { source, ttlMs = 2000, staleIfErrorMs = 86_400_000, maxStrangers = 256, onFailure, nowMs = () => performance.now() } = options;
  const known = remembering(options.maxKeys ?? 100_000);
  const refused = remembering(options.maxRefused ?? 10_000);
  const underWay = new Map<string, Promise<KeyAnswer | undefined>>();
  let strangers = 0;
  let doubtedBeforeMs = Number.NEGATIVE_INFINITY;
  const outage = new Outage(FAILURES_TO_OPEN, PROBE_EVERY_MS, nowMs);
  const stats: KeyDirectoryStats = { lookups: 0, failures: 0, stale: 0, changes: 0, confirmations: 0 };

  function remembering(max: number) {
    return new LRUCache<string, Remembered>({ max });
  }

  /** One question about a key at a time; `undefined` when there is no answer, or when it may not be asked now. */
  function ask(hash: string, stranger: boolean): Promise<KeyAnswer | undefined> | undefined {
    const asked = underWay.get(hash);
    if (asked !== undefined) return asked;
    if ((stranger && strangers >= maxStrangers) || !outage.mayTry()) return undefined;
    stats.lookups += 1;
    if (stranger) strangers += 1;
    const question = source(hash)
      .then((answer) => remember(hash, answer))
      .catch(fail)
      .finally(() => {
        underWay.delete(hash);
        if (stranger) strangers -= 1;
      });
    underWay.set(hash, question);
    return question;
  }

  function remember(hash: string, answer: KeyAnswer): KeyAnswer {
    outage.succeeded();
    const before = known.peek(hash)?.answer;
    if (answer.kind !== 'known') stats.changes += before === undefined ? 0 : 1;
    else if (before?.kind === 'known' && sameCaller(before.caller, answer.caller)) stats.confirmations += 1;
    else stats.changes += 1;
    const [into, outOf] = answer.kind === 'known' ? [known, refused] : [refused, known];
    outOf.delete(hash);
    const atMs = nowMs();
    into.set(hash, { answer, atMs, endsAtMs: endOf(answer, atMs) });
    return answer;
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
    const ended: Remembered = { answer: UNKNOWN, atMs: entry.endsAtMs, endsAtMs: Infinity };
    refused.set(hash, ended);
    return ended;
  }

  function fail(error: unknown): undefined {
    outage.failed();
    stats.failures += 1;
    onFailure?.(error);
    return undefined;
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
      doubtedBeforeMs = nowMs();
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
        const entry: Remembered = { answer: { kind: 'known', caller }, atMs: now - ageMs, endsAtMs: now + validForMs };
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
      if (entry !== undefined && ageMs < ttlMs / 2 && entry.atMs >= doubtedBeforeMs) return entry.answer;
      const question = ask(hash, entry === undefined);
      if (entry !== undefined && ageMs < ttlMs) return entry.answer;
      if (question === undefined || (outage.open && entry !== undefined)) return without(entry);
      return question.then((answer) => answer ?? without(entry));
    },
  };
}

function endOf(answer: KeyAnswer, atMs: number): number {
  return answer.kind === 'known' && answer.validForMs !== undefined ? atMs + answer.validForMs : Infinity;
}

function sameCaller(a: Caller, b: Caller): boolean {
  return a.keyId === b.keyId && a.tenantId === b.tenantId && a.plan === b.plan;
}
