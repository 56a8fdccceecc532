import { type Answer, ask } from './ask.js';

/** The rules API as an admin uses it. */
export interface RulesApi {
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  put(path: string, body: object, headers: Readonly<Record<string, string>>): Promise<Answer>;
  send(method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: object, headers?: Readonly<Record<string, string>>): Promise<Answer>;
}

export function rulesApi(url: string, token: string): RulesApi {
  const authorization = `Bearer ${token}`;
  return {
    get: (path, headers = {}) => ask(`${url}${path}`, { headers: { authorization, ...headers } }),
    put: (path, body, headers) => ask(`${url}${path}`, { method: 'PUT', body, headers: { authorization, ...headers } }),
    send: (method, path, body, headers = {}) => ask(`${url}${path}`, { method, body, headers: { authorization, ...headers } }),
  };
}

/** The body that the issue tells one to send. */
export function freeRule(limit: number): object {
  return { plan: 'free', endpoint: '*', limit, window_seconds: 1 };
}

/** Changes the limit of the rule that the seed made, on top of whatever version is there. */
export async function setFreeLimit(api: RulesApi, limit: number): Promise<void> {
  const { headers } = await api.get('/v1/rules/free-default');
  const { status, text } = await api.put('/v1/rules/free-default', freeRule(limit), { 'if-match': headers.etag ?? '' });
  if (status !== 200) throw new Error(`the rule was not changed: ${status} ${text}`);
}
