import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from '@sluice/platform';
import { hash } from 'node:crypto';
import { LOGGER } from '../tokens.js';
import type { Caller } from './caller.js';
import { GuessLimit } from './guess-limit.js';
import { KnownTokens } from './known-tokens.js';
import type { Origin } from './origin.js';
import { TokenAuthority } from './token-authority.js';
import type { TokenVerdict } from './token-verdict.js';

/** After a failure nobody asks for so long: while the control plane hangs, requests must not each wait for it. */
const PAUSE_MS = 1_000;

/** Who a request comes from, or why nobody knows. */
export type Authentication =
  /** `isStale`: as it was when the control plane could be asked last. */
  | { readonly status: 'known'; readonly caller: Caller; readonly isStale: boolean }
  | { readonly status: 'unknown' }
  | { readonly status: 'no_role'; readonly actor: string | undefined }
  | { readonly status: 'throttled'; readonly retryAfterMs: number }
  | { readonly status: 'unavailable' };

/**
 * Knows tokens by what the control plane says of them (R62), which is remembered for 10 s; "no" for 2 s. One question at a time is under way about a token. A token
 * that is new here counts as a guess of its address before the control plane is asked, until it says otherwise.
 */
@Injectable()
export class Authenticator {
  private readonly tokens = new KnownTokens();
  private readonly asking = new Map<string, Promise<Authentication>>();
  private pausedUntilMs = -Infinity;
  private isAway = false;

  constructor(
    private readonly authority: TokenAuthority,
    private readonly guesses: GuessLimit,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * At once where the answer is remembered. Never rejects for what the control plane does.
   *
   * @param reads nothing is changed: then who is known waits for nobody while the control plane is away, and it is asked meanwhile
   */
  authenticate(token: string, origin: Origin, reads: boolean): Authentication | Promise<Authentication> {
    // Apart by origin, or what is good on this machine alone would be remembered for everybody.
    const key = `${origin.local ? 'local' : 'remote'}:${hash('sha256', token, 'base64url')}`;
    const fresh = this.tokens.fresh(key);
    if (fresh !== undefined) return this.authenticationOf(key, fresh);
    const answer = this.asking.get(key) ?? this.ask(token, key, origin);
    const held = reads && this.isAway ? this.tokens.stale(key) : undefined;
    return held === undefined ? answer : { status: 'known', caller: held.caller, isStale: true };
  }

  private ask(token: string, key: string, origin: Origin): Promise<Authentication> {
    const answer = this.lookUp(token, key, origin).finally(() => this.asking.delete(key));
    this.asking.set(key, answer);
    return answer;
  }

  private async lookUp(token: string, key: string, origin: Origin): Promise<Authentication> {
    if (performance.now() < this.pausedUntilMs) return this.withoutAsking(key);
    const guess = this.tokens.wasKnown(key) ? undefined : await this.guesses.count(origin.ip);
    if (guess?.status === 'refused') return { status: 'throttled', retryAfterMs: guess.retryAfterMs };
    const verdict = await this.authority.ask(token, origin);
    this.noteReach(verdict);
    // A guess that finds out nothing is none: while the control plane is away nobody should be shut out by others at his address. An issuer that is away is another
    // matter, since whoever makes up a JWT can have it asked for.
    if (verdict.status === 'known' || verdict.status === 'no_role' || verdict.status === 'away') guess?.takeBack();
    if (verdict.status === 'away') return this.withoutAsking(key);
    this.tokens.note(key, verdict);
    return this.authenticationOf(key, verdict);
  }

  private authenticationOf(key: string, verdict: Exclude<TokenVerdict, { readonly status: 'away' }>): Authentication {
    if (verdict.status === 'known') return { status: 'known', caller: verdict.caller, isStale: false };
    if (verdict.status === 'issuer_away') return this.withoutAsking(key);
    return verdict.status === 'throttled' ? { status: 'throttled', retryAfterMs: 1_000 } : verdict;
  }

  private withoutAsking(key: string): Authentication {
    const held = this.tokens.stale(key);
    return held === undefined ? { status: 'unavailable' } : { status: 'known', caller: held.caller, isStale: true };
  }

  private noteReach(verdict: TokenVerdict): void {
    const isAway = verdict.status === 'away';
    if (isAway) this.pausedUntilMs = performance.now() + PAUSE_MS;
    if (isAway && !this.isAway) this.logger.warn({ why: verdict.why }, 'the control plane cannot be asked about tokens; those it knew within 5 minutes may read');
    if (!isAway && this.isAway) this.logger.info('the control plane answers about tokens again');
    this.isAway = isAway;
  }
}
