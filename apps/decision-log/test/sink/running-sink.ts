import { createLogger, KafkaBus, loadConfig } from '@sluice/platform';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { DECISION_LOG_CONFIG } from '../../src/config/decision-log-config.js';
import { createDecisionLog } from '../../src/create-decision-log.js';
import type { DecisionStore } from '../../src/store/decision-store.js';
import { openDuckDbStore } from '../../src/store/duckdb/open-duckdb-store.js';
import { StoreUnavailable } from '../../src/store/store-faults.js';

/** A decision log in this process, whose store can be taken away. */
export interface RunningSink {
  readonly bus: KafkaBus;
  /** What it logged, a line each. */
  readonly logged: readonly Readonly<Record<string, unknown>>[];
  /** Writes that were refused. */
  readonly refused: number;
  /** From now on writes fail, and half of the time only after they were done: a store that is away may have taken what it does not answer for. */
  takeAway(): void;
  giveBack(): void;
  /** A sample of `/metrics`. */
  metric(name: RegExp): Promise<number>;
  readiness(): Promise<{ readonly status: number; readonly detail: string | undefined }>;
  /** Each event id, as often as it is stored. */
  stored(): Promise<string[]>;
  close(): Promise<void>;
}

export async function startRunningSink(brokers: readonly string[]): Promise<RunningSink> {
  const logged: Record<string, unknown>[] = [];
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      logged.push(JSON.parse(chunk.toString('utf8')) as Record<string, unknown>);
      done();
    },
  });
  const logger = createLogger({ app: 'test', level: 'info', destination });
  const dir = await mkdtemp(join(tmpdir(), 'sluice-sink-'));
  const config = loadConfig(DECISION_LOG_CONFIG, {
    SLUICE_ADMIN_URL: 'http://127.0.0.1:1',
    SLUICE_ADMIN_TOKEN: 'of-the-service',
    SLUICE_DECISION_LOG_DIR: dir,
    SLUICE_DECISION_LOG_HOST: '127.0.0.1',
    SLUICE_DECISION_LOG_PORT: '0',
  });
  const real = await openDuckDbStore({ dir, retentionMs: config.retentionMs, logger });
  let isAway = false;
  let refused = 0;
  const store: DecisionStore = {
    async write(batch) {
      if (!isAway) return real.write(batch);
      refused += 1;
      if (refused % 2 === 0) await real.write(batch);
      throw new StoreUnavailable('it was taken away');
    },
    find: (filter, limit, after) => real.find(filter, limit, after),
    aggregate: (query) => real.aggregate(query),
    scan: (filter) => real.scan(filter),
    scanColumns: (filter, attributes) => real.scanColumns(filter, attributes),
    tend: (nowMs) => real.tend(nowMs),
    status: () => real.status(),
    close: () => real.close(),
  };
  const bus = new KafkaBus({ brokers, clientId: 'test', logger, publishBoundMs: 10_000 });
  const service = await createDecisionLog({ config, store, bus, logger });
  return {
    bus,
    logged,
    get refused() {
      return refused;
    },
    takeAway() {
      isAway = true;
    },
    giveBack() {
      isAway = false;
    },
    async metric(name) {
      const text = await (await fetch(`${service.url}/metrics`)).text();
      return Number(text.split('\n').find((line) => name.test(line))?.split(' ').at(-1));
    },
    async readiness() {
      const response = await fetch(`${service.url}/readyz`);
      const { checks } = (await response.json()) as { checks: Record<string, { detail?: string }> };
      return { status: response.status, detail: checks['sink']?.detail };
    },
    async stored() {
      const ids: string[] = [];
      for await (const events of store.scan({ fromMs: 0, toMs: Date.now() + 60_000 })) ids.push(...events.map(({ event_id }) => event_id));
      return ids;
    },
    async close() {
      await service.close();
      await bus.close();
      await store.close();
      await rm(dir, { recursive: true, force: true });
    },
  };
}
