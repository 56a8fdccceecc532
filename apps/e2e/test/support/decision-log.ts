import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDecisionLog, DECISION_LOG_CONFIG, type DecisionStore, openDuckDbStore } from '@sluice-app/decision-log';
import { createLogger, InProcessBus, loadConfig } from '@sluice/platform';
import { type ApiDocument, DocumentedAnswers } from '@sluice/testkit';
import { type Answer, ask } from './ask.js';
import { ADMIN_TOKEN } from './rules-admin.js';

/** A decision log in this process, on a store of its own that the story writes into. */
export interface StoryLog {
  readonly url: string;
  readonly store: DecisionStore;
  /** Every answer is checked against the OpenAPI document (R63). */
  get(path: string, token?: string): Promise<Answer>;
  close(): Promise<void>;
}

/** Starts one beside a control plane. */
export async function startStoryLog(adminUrl: string, env: Readonly<Record<string, string>> = {}): Promise<StoryLog> {
  const dir = await mkdtemp(join(tmpdir(), 'sluice-decisions-'));
  const logger = createLogger({ app: 'e2e', level: 'fatal' });
  const config = loadConfig(DECISION_LOG_CONFIG, { SLUICE_ADMIN_URL: adminUrl, SLUICE_ADMIN_TOKEN: ADMIN_TOKEN, SLUICE_DECISION_LOG_DIR: dir, SLUICE_DECISION_LOG_HOST: '127.0.0.1', SLUICE_DECISION_LOG_PORT: '0', ...env });
  const store = await openDuckDbStore({ dir, retentionMs: config.retentionMs, logger });
  const bus = new InProcessBus(logger);
  const service = await createDecisionLog({ config, store, bus, logger });
  const documented = new DocumentedAnswers((await ask(`${service.url}/openapi.json`)).json() as ApiDocument);
  return {
    url: service.url,
    store,
    async get(path, token = ADMIN_TOKEN) {
      const answer = await ask(`${service.url}${path}`, { headers: { authorization: `Bearer ${token}` } });
      documented.check('GET', path, { ...answer, headers: new Headers(Object.entries(answer.headers).map(([name, value]): [string, string] => [name, String(value)])), body: answer.json() });
      return answer;
    },
    async close() {
      await service.close();
      await bus.close();
      await store.close();
      await rm(dir, { recursive: true, force: true });
    },
  };
}
