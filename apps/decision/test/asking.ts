import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ApiDocument, DocumentedAnswers } from '@sluice/testkit';

/** An answer, read whole. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Record<string, unknown>;
}

/** Every answer that the tests get is held against the committed document (R63). */
export const documented = new DocumentedAnswers(JSON.parse(await readFile(join(import.meta.dirname, '../openapi.json'), 'utf8')) as ApiDocument);

/** Asks a service and reads the answer, which has to be as the OpenAPI document says. */
export async function ask(url: string, init: RequestInit = {}): Promise<Answer> {
  const answer = await answerOf(await fetch(url, init));
  documented.check(init.method ?? 'GET', url, answer);
  return answer;
}

/** As `fetch`, of what has to be as the OpenAPI document says. */
export async function fetchDocumented(url: string, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(url, init);
  documented.check(init.method ?? 'GET', url, await answerOf(response.clone()));
  return response;
}

async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  const isJson = /json/.test(response.headers.get('content-type') ?? '');
  return { status: response.status, headers: response.headers, text, body: isJson && text !== '' ? (JSON.parse(text) as Record<string, unknown>) : {} };
}

/** A POST of JSON; text goes as it is. */
export function askJson(url: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
  return ask(url, { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body), headers: { 'Content-Type': 'application/json', ...headers } });
}

/** The body of a check. */
export function checkOf(attributes: Readonly<Record<string, string>>, rest: object = {}): object {
  return { domain: 'api', descriptors: Object.entries(attributes).map(([key, value]) => ({ key, value })), ...rest };
}
