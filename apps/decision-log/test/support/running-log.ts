import { createLogger, InProcessBus, loadConfig, type Logger } from '@sluice/platform';
import { type ApiDocument, DocumentedAnswers } from '@sluice/testkit';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DECISION_LOG_CONFIG } from '../../src/config/decision-log-config.js';
import { createDecisionLog, type RunningDecisionLog } from '../../src/create-decision-log.js';
import type { DecisionStore } from '../../src/store/decision-store.js';
import { openDuckDbStore } from '../../src/store/duckdb/open-duckdb-store.js';

/** An answer, read whole. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Record<string, unknown>;
}

/** A decision log over HTTP, on an embedded store of its own. */
export interface RunningLog {
  readonly service: RunningDecisionLog;
  readonly store: DecisionStore;
  readonly documented: DocumentedAnswers;
  /** Every answer is checked against the OpenAPI document (R63). */
  get(path: string, token?: string | null, init?: RequestInit): Promise<Answer>;
  close(): Promise<void>;
}

/** Starts one beside a control plane. */
export async function startLog(adminUrl: string, { env = {}, logger = createLogger({ app: 'test', level: 'fatal' }) }: { readonly env?: Readonly<Record<string, string>>; readonly logger?: Logger } = {}): Promise<RunningLog> {
  const dir = await mkdtemp(join(tmpdir(), 'sluice-decisions-'));
  const config = loadConfig(DECISION_LOG_CONFIG, { SLUICE_ADMIN_URL: adminUrl, SLUICE_ADMIN_TOKEN: 'of-the-service', SLUICE_DECISION_LOG_DIR: dir, SLUICE_DECISION_LOG_HOST: '127.0.0.1', SLUICE_DECISION_LOG_PORT: '0', ...env });
  const store = await openDuckDbStore({ dir, retentionMs: config.retentionMs, logger });
  const bus = new InProcessBus(logger);
  const service = await createDecisionLog({ config, store, bus, logger });
  const documented = new DocumentedAnswers((await (await fetch(`${service.url}/openapi.json`)).json()) as ApiDocument);
  return {
    service,
    store,
    documented,
    async get(path, token = 'viewer', init = {}) {
      const response = await fetch(`${service.url}${path}`, { ...init, headers: { ...(token === null ? {} : { authorization: `Bearer ${token}` }), ...init.headers } });
      const text = await response.text();
      const isJson = /json/.test(response.headers.get('content-type') ?? '');
      const answer: Answer = { status: response.status, headers: response.headers, text, body: isJson && text !== '' ? (JSON.parse(text) as Record<string, unknown>) : {} };
      documented.check(init.method ?? 'GET', path, answer);
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
