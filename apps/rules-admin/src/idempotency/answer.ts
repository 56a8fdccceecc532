import type { FastifyReply } from 'fastify';

/** What a request is answered with, as a value that can be kept. Never with a secret: it is stored as it is. */
export interface Answer {
  readonly status: number;
  /** Those that matter to the caller: `etag`, `location`. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;
}

/** An answer as it goes out, now or again. */
export interface SentAnswer extends Omit<Answer, 'body'> {
  /** JSON text. */
  readonly body: string;
  readonly replayed: boolean;
}

/** Sends it; a replay says that it is one. */
export function sendAnswer(reply: FastifyReply, { status, headers, body, replayed }: SentAnswer): void {
  reply
    .code(status)
    .headers({ 'cache-control': 'no-store', ...headers, ...(replayed ? { 'idempotency-replayed': 'true' } : {}) })
    .type('application/json')
    .send(body);
}
