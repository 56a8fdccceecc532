import { request } from 'node:http';
import type { Answer, SentFields } from '../surface.js';

export interface HttpAnswer {
  readonly status: number;
  readonly fields: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface HttpInit {
  readonly method?: 'GET' | 'POST';
  readonly fields?: SentFields | undefined;
  readonly json?: object;
}

/** One exchange by node:http, which unlike fetch sends whatever fields it is told to. */
export function exchange(url: string, { method = 'GET', fields = {}, json }: HttpInit = {}): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const text = json === undefined ? undefined : JSON.stringify(json);
    const headers = { ...fields, ...(text !== undefined && { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(text)) }) };
    const asked = request(url, { method, headers }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
      response.on('error', reject);
      response.on('end', () => {
        const names = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
        resolve({ status: response.statusCode ?? 0, fields: Object.fromEntries(names), body: objectOf(body) });
      });
    });
    asked.on('error', reject);
    asked.end(text);
  });
}

/** An answer of a surface that a client meets as HTTP itself. */
export async function askHttp(url: string, fields: SentFields): Promise<Answer> {
  const { status, fields: given, body } = await exchange(url, { fields });
  const violated = body['violated-policies'];
  return { allowed: status !== 429 && !(status === 503 && body['reason'] === 'store_unavailable'), status, fields: given, body, violated: Array.isArray(violated) ? violated.map(String) : [] };
}

export function remainingOf({ fields }: Pick<Answer, 'fields'>): number {
  return Number(fields['x-ratelimit-remaining'] ?? Number.NaN);
}

function objectOf(text: string): Readonly<Record<string, unknown>> {
  if (!text.startsWith('{')) return {};
  return JSON.parse(text) as Record<string, unknown>;
}
