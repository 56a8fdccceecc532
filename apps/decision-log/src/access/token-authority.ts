import { Inject, Injectable } from '@nestjs/common';
import type { DecisionLogConfig } from '../config/decision-log-config.js';
import { CONFIG } from '../tokens.js';
import { readVerdict } from './read-verdict.js';
import type { Origin } from './origin.js';
import type { TokenVerdict } from './token-verdict.js';

const TIMEOUT_MS = 2_000;

/** Asks the control plane whose a token is: tokens are issued, revoked and verified there, and nowhere else. */
@Injectable()
export class TokenAuthority {
  private readonly url: URL;

  constructor(@Inject(CONFIG) { adminUrl }: Pick<DecisionLogConfig, 'adminUrl'>) {
    this.url = new URL(`${adminUrl.replace(/\/+$/, '')}/v1/tokens:self`);
  }

  /** Never rejects; within 2 s. @param origin where it was presented: some tokens are good on this machine alone */
  async ask(token: string, origin: Origin): Promise<TokenVerdict> {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const first = await this.askOnce(token, origin, signal);
    // A connection that the other side closed while it was idle fails with the first request after; a new one does not.
    return first === 'broken' && !signal.aborted ? this.settled(await this.askOnce(token, origin, signal)) : this.settled(first);
  }

  private async askOnce(token: string, { ip, local }: Origin, signal: AbortSignal): Promise<TokenVerdict | 'broken'> {
    try {
      // Not to wherever a redirect leads: the token goes along.
      const response = await fetch(this.url, { headers: { authorization: `Bearer ${token}`, accept: 'application/json', ...(local ? {} : { 'x-forwarded-for': ip }) }, redirect: 'error', signal });
      const text = await response.text();
      return readVerdict(response.status, parsed(text));
    } catch {
      return 'broken';
    }
  }

  private settled(verdict: TokenVerdict | 'broken'): TokenVerdict {
    return verdict === 'broken' ? { status: 'away', why: 'it does not answer' } : verdict;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
