import { type AnswerHeaders, readAnswerHeaders } from './answer-headers.js';
import { readBounded } from './read-bounded.js';

/** What one request to the control plane came to. A fault of the network or the server is a value here: the loop goes on. */
export type SnapshotReply =
  | ({ readonly kind: 'unchanged' } & AnswerHeaders)
  /** The body as text, and when its headers came, by `performance.now()`. */
  | ({ readonly kind: 'body'; readonly text: string; readonly answeredAtMs: number } & AnswerHeaders)
  /** 401 or 403: trying harder does not help. */
  | { readonly kind: 'unauthorized'; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string; readonly retryAfterMs: number };

export interface SnapshotRequest {
  /** Base of the control plane, `https://admin.internal`; a path is kept. */
  readonly url: string;
  readonly token: string | undefined;
  /** Sent as If-None-Match. */
  readonly etag: string | undefined;
  /** Version to send the changes since; absent asks for the whole. */
  readonly since: number | undefined;
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly fetch: typeof fetch;
  /** Aborts the request on close. */
  readonly signal: AbortSignal;
}

/** One `GET /v1/snapshot` (R54). Never rejects. */
export async function fetchSnapshot(request: SnapshotRequest): Promise<SnapshotReply> {
  try {
    const response = await request.fetch(snapshotUrl(request), {
      headers: requestHeaders(request),
      // A redirect would carry the token to another host.
      redirect: 'error',
      signal: AbortSignal.any([request.signal, AbortSignal.timeout(request.timeoutMs)]),
    });
    return await readReply(response, request.maxBytes);
  } catch (error) {
    return { kind: 'failed', reason: reasonOf(error), retryAfterMs: 0 };
  }
}

async function readReply(response: Response, maxBytes: number): Promise<SnapshotReply> {
  const answeredAtMs = performance.now();
  const headers = readAnswerHeaders(response.headers);
  if (response.status === 200) {
    const text = await readBounded(response, maxBytes);
    if (text === undefined) return { kind: 'failed', reason: `snapshot is larger than ${maxBytes} bytes`, retryAfterMs: 0 };
    return { kind: 'body', text, answeredAtMs, ...headers };
  }
  await response.body?.cancel();
  if (response.status === 304) return { kind: 'unchanged', ...headers };
  const reason = `the control plane answered ${response.status}`;
  if (response.status === 401 || response.status === 403) return { kind: 'unauthorized', reason };
  return { kind: 'failed', reason, retryAfterMs: 1000 * (Number(response.headers.get('retry-after')) || 0) };
}

function snapshotUrl({ url, since }: SnapshotRequest): string {
  const base = url.endsWith('/') ? url.slice(0, -1) : url;
  return `${base}/v1/snapshot${since === undefined ? '' : `?since=${since}`}`;
}

function requestHeaders({ token, etag }: SnapshotRequest): Record<string, string> {
  return {
    Accept: 'application/json',
    ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
    ...(etag === undefined ? {} : { 'If-None-Match': etag }),
  };
}

function reasonOf(error: unknown): string {
  if (!isFault(error)) return String(error);
  if (error.name === 'TimeoutError') return 'the control plane did not answer in time';
  return isFault(error.cause) ? `${error.message}: ${error.cause.message}` : error.message;
}

/** By shape: fetch may throw an error of another realm. */
function isFault(error: unknown): error is Error {
  return typeof error === 'object' && error !== null && 'message' in error;
}
