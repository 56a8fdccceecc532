import { BoundedCache } from '../control-plane/bounded-cache.js';
import type { TokenVerdict } from './token-verdict.js';

/** How long an answer serves: a revoked token opens nothing any more after this. */
export const FRESH_MS = 10_000;
/** How long "no" serves: a token that was just issued opens after this. */
export const REFUSED_MS = 2_000;
/** How soon the control plane is asked again about a token that it would not look at. */
export const THROTTLED_MS = 1_000;
/** How long an answer serves while the control plane is away. */
export const STALE_MS = 300_000;

/** How long a token that was good is no guess. */
const REMEMBERED_MS = 86_400_000;

/** How many of each kind are remembered. Guesses have a place of their own, so that a flood of them forgets nobody who is known. */
const MOST = 10_000;

type Known = Extract<TokenVerdict, { readonly status: 'known' }>;
type Refused = Extract<TokenVerdict, { readonly status: 'unknown' | 'no_role' | 'throttled' | 'issuer_away' }>;

interface Entry<V> {
  readonly verdict: V;
  readonly atMs: number;
}

/** What was said of tokens, by their SHA-256; the tokens themselves are not kept. */
export class KnownTokens {
  private readonly known: BoundedCache<Entry<Known>>;
  private readonly refused: BoundedCache<Entry<Refused>>;

  /** @param nowMs ms since the epoch, since expiries are */
  constructor(
    private readonly nowMs: () => number = Date.now,
    most = MOST,
  ) {
    this.known = new BoundedCache(most, REMEMBERED_MS, nowMs);
    this.refused = new BoundedCache(most, REFUSED_MS, nowMs);
  }

  /** What is to be answered without asking again. */
  fresh(hash: string): Known | Refused | undefined {
    const refused = this.refused.get(hash);
    if (refused !== undefined && this.isWithin(refused, refused.verdict.status === 'throttled' ? THROTTLED_MS : REFUSED_MS)) return refused.verdict;
    return this.knownWithin(hash, FRESH_MS);
  }

  /** What may be answered to who only reads while nobody can be asked. */
  stale(hash: string): Known | undefined {
    return this.knownWithin(hash, STALE_MS);
  }

  /** Whether it was good when it was last asked about, within a day: it is no guess then. */
  wasKnown(hash: string): boolean {
    return this.known.get(hash) !== undefined;
  }

  note(hash: string, verdict: Known | Refused): void {
    const entry = { atMs: this.nowMs() };
    if (verdict.status === 'known') {
      this.refused.delete(hash);
      this.known.set(hash, { verdict, ...entry });
      return;
    }
    // That it was not looked at, or could not be, says nothing of what it was.
    if (verdict.status !== 'throttled' && verdict.status !== 'issuer_away') this.known.delete(hash);
    this.refused.set(hash, { verdict, ...entry });
  }

  private knownWithin(hash: string, spanMs: number): Known | undefined {
    const entry = this.known.get(hash);
    return entry !== undefined && this.isWithin(entry, spanMs) && this.nowMs() < entry.verdict.expiresAtMs ? entry.verdict : undefined;
  }

  private isWithin({ atMs }: Entry<unknown>, spanMs: number): boolean {
    const ageMs = this.nowMs() - atMs;
    // A clock that was set back must not make an answer last.
    return ageMs >= 0 && ageMs < spanMs;
  }
}
