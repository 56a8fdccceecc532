import { freePort } from '@sluice/testkit';
import { Client } from 'pg';
import { ask } from './ask.js';
import { type Program, startProgram } from './program.js';
import { type RulesApi, rulesApi } from './rules-api.js';
import { until } from './until.js';

export const ADMIN_TOKEN = 'admin-token-of-the-story';

/** A control plane as a process of its own. */
export interface RulesAdminProcess {
  readonly url: string;
  readonly api: RulesApi;
  readonly program: Program;
}

/** Starts one on a database; resolves when it is ready. */
export async function startRulesAdmin(databaseUrl: string, env: Readonly<Record<string, string>> = {}): Promise<RulesAdminProcess> {
  const port = env['SLUICE_ADMIN_PORT'] ?? String(await freePort());
  const url = `http://127.0.0.1:${port}`;
  const program = startProgram('rules-admin', {
    SLUICE_DATABASE_URL: databaseUrl,
    SLUICE_ADMIN_TOKEN: ADMIN_TOKEN,
    SLUICE_ADMIN_PORT: port,
    SLUICE_LOG_LEVEL: 'warn',
    ...env,
  });
  await until(async () => (await ask(`${url}/readyz`)).status === 200, 30_000).catch((error: unknown) => {
    throw new Error(`rules-admin is not ready:\n${program.output}`, { cause: error });
  });
  return { url, api: rulesApi(url, ADMIN_TOKEN), program };
}

/** What a query says, each row its first column as a number. */
export async function numbersOf(databaseUrl: string, query: string): Promise<number[]> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<unknown[]>({ text: query, rowMode: 'array' });
    return rows.map(([value]) => Number(value));
  } finally {
    await client.end();
  }
}
