import type { CountLine } from './shadow-counts.js';

/** One message to the control plane. */
export interface CountsMessage {
  readonly node_id: string;
  /** All that was counted before this time has been sent with this message. */
  readonly complete_until?: string;
  readonly last?: boolean;
  readonly counts: readonly CountLine[];
}

/** Sends one message. @throws Error when it was not taken */
export type SendCounts = (message: CountsMessage, signal: AbortSignal) => Promise<void>;

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
    await response.body?.cancel();
    if (response.status !== 200) throw new Error(`the control plane answered ${response.status}`);
  };
}
