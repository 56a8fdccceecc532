import type { CountLine } from './shadow-counts.js';

/** One message to the control plane. */
export interface CountsMessage {
  readonly node_id: string;
  /** All that was counted before this time has been sent with this message. */
  readonly complete_until?: string;
  readonly last?: boolean;
  readonly counts: readonly CountLine[];
}

/** What became of a message that was taken. */
export interface CountsTaken {
  /** Lines whose minutes are too long ago, or lie ahead, by the control plane's clock. They are of no use to it, also not later. */
  readonly ignored: number;
}

/** Sends one message. @throws Error when it was not taken */
export type SendCounts = (message: CountsMessage, signal: AbortSignal) => Promise<CountsTaken>;

export interface CountsTarget {
  /** Base of the control plane. */
  readonly url: string;
  readonly token: string | undefined;
}

/** {@link SendCounts} by `POST {url}/v1/shadow-counts`. */
export function sendCountsTo({ url, token }: CountsTarget): SendCounts {
  const target = `${url.endsWith('/') ? url.slice(0, -1) : url}/v1/shadow-counts`;
  const headers = { 'Content-Type': 'application/json', ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }) };
  return async (message, signal) => {
    const response = await fetch(target, { method: 'POST', headers, body: JSON.stringify(message), redirect: 'error', signal });
    if (response.status !== 200) {
      await response.body?.cancel();
      throw new Error(`the control plane answered ${response.status}`);
    }
    return { ignored: ignoredOf(await response.json()) };
  };
}

function ignoredOf(body: unknown): number {
  return typeof body === 'object' && body !== null && 'ignored' in body && typeof body.ignored === 'number' ? body.ignored : 0;
}
