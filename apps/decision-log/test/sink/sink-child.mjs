// A decision log on Kafka and the embedded store, from what is built; it says when a write begins and ends, so that it can be killed in between.
import { createLogger, KafkaBus, loadConfig } from '@sluice/platform';
import { createDecisionLog, DECISION_LOG_CONFIG } from '../../dist/index.js';
import { openDuckDbStore } from '../../dist/store/duckdb/open-duckdb-store.js';

const [brokers, dir, sessionTimeoutMs] = process.argv.slice(2);
const say = (what) => process.stdout.write(`${what}\n`);
process.stdin.on('end', () => process.exit(1)); // The test is gone.
await new Promise((resolve) => process.stdin.once('data', resolve)); // Loaded, and asked to begin.

const logger = createLogger({ app: 'sink-child', level: 'fatal' });
const config = loadConfig(DECISION_LOG_CONFIG, {
  SLUICE_ADMIN_URL: 'http://127.0.0.1:1',
  SLUICE_ADMIN_TOKEN: 'of-the-service',
  SLUICE_DECISION_LOG_DIR: dir,
  SLUICE_DECISION_LOG_HOST: '127.0.0.1',
  SLUICE_DECISION_LOG_PORT: '0',
});
const store = await openDuckDbStore({ dir, retentionMs: config.retentionMs, logger });
const write = store.write.bind(store);
store.write = async (batch) => {
  say('writing');
  const written = await write(batch);
  say('written');
  return written;
};
const bus = new KafkaBus({ brokers: [brokers], clientId: 'sink-child', logger, sessionTimeoutMs: Number(sessionTimeoutMs) });
const service = await createDecisionLog({ config, store, bus, logger });
process.on('SIGTERM', async () => {
  await service.close();
  await bus.close();
  await store.close();
  process.exit(0);
});
