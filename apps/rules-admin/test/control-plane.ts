import type { CounterStore } from '@sluice/limiter';
import { type EventBus, InProcessBus } from '@sluice/platform';
import { type ApiDocument, DocumentedAnswers, sharedPostgres } from '@sluice/testkit';
import { pino } from 'pino';
import { createRulesAdmin, type RulesAdmin, type RulesAdminConfig } from '../src/index.js';

export const TOKEN = 'test-admin-token';

/** An answer, read whole. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly etag: string | null;
  readonly text: string;
  readonly body: Record<string, unknown>;
}

/** A request in short. */
export interface Call {
  readonly method?: string;
  readonly json?: unknown;
  /** Sent as it is, instead of `json`. */
  readonly raw?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly ifMatch?: string | null;
  readonly ifNoneMatch?: string;
  readonly token?: string | null;
  /** Whether the answer has to be as the OpenAPI document says; default true. False for faults that end a request before it is one. */
  readonly documented?: boolean;
}

/** A control plane on a database of its own, spoken to over HTTP. */
export interface ControlPlane {
  readonly admin: RulesAdmin;
  readonly bus: InProcessBus;
  readonly url: string;
  readonly databaseUrl: string;
  readonly documented: DocumentedAnswers;
  /** Every answer is checked against the OpenAPI document (R63). */
  call(path: string, call?: Call): Promise<Answer>;
  put(path: string, json: unknown, precondition?: Pick<Call, 'ifMatch' | 'ifNoneMatch'>): Promise<Answer>;
  close(): Promise<void>;
}

/** Reads an answer whole. */
async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  const isJson = /json/.test(response.headers.get('content-type') ?? '');
  return { status: response.status, headers: response.headers, etag: response.headers.get('etag'), text, body: isJson && text !== '' ? (JSON.parse(text) as Record<string, unknown>) : {} };
}

function initOf({ method = 'GET', json, raw, headers = {}, ifMatch, ifNoneMatch, token = TOKEN }: Call): RequestInit {
  const body = raw ?? (json === undefined ? undefined : JSON.stringify(json));
  return {
    method,
    ...(body === undefined ? {} : { body }),
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(ifMatch == null ? {} : { 'if-match': ifMatch }),
      ...(ifNoneMatch === undefined ? {} : { 'if-none-match': ifNoneMatch }),
      ...headers,
    },
  };
}

/** Who starts one may bring another bus than its own, and closes that. */
export interface ControlPlaneOptions {
  readonly waitForDatabase?: boolean;
  readonly bus?: EventBus;
  readonly counters?: CounterStore;
}

/** Starts one; on a fresh database unless told which. */
export async function startControlPlane(overrides: Partial<RulesAdminConfig> = {}, { waitForDatabase = true, bus: other, counters }: ControlPlaneOptions = {}): Promise<ControlPlane> {
  const database = overrides.databaseUrl === undefined ? await sharedPostgres() : undefined;
  const databaseUrl = overrides.databaseUrl ?? database?.url ?? '';
  const logger = pino({ level: process.env['SLUICE_TEST_LOG'] ?? 'silent' });
  const bus = new InProcessBus(logger);
  const config: RulesAdminConfig = { databaseUrl, tokens: [{ token: TOKEN, loopbackOnly: false }], migrateOnStart: true, host: '127.0.0.1', port: 0, ...overrides };
  const admin = await createRulesAdmin({ config, bus: other ?? bus, counters, logger, processMetrics: false });
  const url = await admin.listen();
  if (waitForDatabase) await admin.seed({ plans: [], tenants: [], keys: [], rules: [] });
  const documented = new DocumentedAnswers((await answerOf(await fetch(`${url}/openapi.json`))).body as unknown as ApiDocument);
  const call = async (path: string, request: Call = {}): Promise<Answer> => {
    const answer = await answerOf(await fetch(`${url}${path}`, initOf(request)));
    if (request.documented !== false) documented.check(request.method ?? 'GET', path, answer);
    return answer;
  };
  return {
    documented,
    admin,
    bus,
    url,
    databaseUrl,
    call,
    put: (path, json, precondition = { ifNoneMatch: '*' }) => call(path, { method: 'PUT', json, ...precondition }),
    close: async () => {
      await admin.close();
      await bus.close();
      await database?.drop();
    },
  };
}

/** Waits until `met` holds. */
export async function until(met: () => boolean | Promise<boolean>, timeoutMs = 15_000): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!(await met())) {
    if (performance.now() > deadline) throw new Error('It did not come to pass in time.');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
