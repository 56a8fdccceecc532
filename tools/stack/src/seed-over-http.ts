import type { DEMO_SEED } from '@sluice-app/standalone';

const RULE_CONFLICT = 'urn:sluice:problem:rule-conflict';

/** A key of the seed. */
export interface SeededKey {
  readonly keyId: string;
  /** Absent when the key was there already: its secret was shown when it was made. */
  readonly secret: string | undefined;
}

/** Where the rules API is, and what opens it. */
export interface RulesApi {
  readonly url: string;
  readonly token: string;
}

/**
 * Creates what is not there, as an admin would: by the API. What is there stays as it is. Secrets of keys are made by the control plane, so
 * that those of the seed do not count.
 */
export async function seedOverHttp(api: RulesApi, seed: typeof DEMO_SEED): Promise<SeededKey[]> {
  for (const { plan_id, ...plan } of seed.plans) await create(api, `/v1/plans/${plan_id}`, plan);
  for (const { tenant_id, ...tenant } of seed.tenants) await create(api, `/v1/tenants/${tenant_id}`, tenant);
  for (const { rule_id, ...rule } of seed.rules) await createRule(api, `/v1/rules/${rule_id}`, rule);
  const keys: SeededKey[] = [];
  for (const { key_id, tenant_id, name } of seed.keys) keys.push({ keyId: key_id, secret: await createKey(api, { key_id, tenant_id, name }) });
  return keys;
}

async function create(api: RulesApi, path: string, body: object): Promise<void> {
  await ask(api, 'PUT', path, body, [201, 412], { 'if-none-match': '*' });
}

/** A rule is there as well when an admin made one that matches exactly the same under another name. */
async function createRule(api: RulesApi, path: string, body: object): Promise<void> {
  const { status, answer } = await ask(api, 'PUT', path, body, [201, 409, 412], { 'if-none-match': '*' });
  const type = typeof answer === 'object' && answer !== null && 'type' in answer ? answer.type : undefined;
  if (status === 409 && type !== RULE_CONFLICT) throw new Error(`PUT ${path} answered ${status}: ${JSON.stringify(answer)}`);
}

async function createKey(api: RulesApi, body: object): Promise<string | undefined> {
  const { status, answer } = await ask(api, 'POST', '/v1/keys', body, [201, 409]);
  if (status === 409) return undefined;
  if (typeof answer === 'object' && answer !== null && 'secret' in answer && typeof answer.secret === 'string') return answer.secret;
  throw new Error('POST /v1/keys made a key and did not show its secret');
}

async function ask(api: RulesApi, method: string, path: string, body: object, expected: readonly number[], headers: Record<string, string> = {}) {
  const response = await fetch(`${api.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${api.token}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!expected.includes(response.status)) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
  const answer: unknown = JSON.parse(text);
  return { status: response.status, answer };
}
