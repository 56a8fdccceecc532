import { ConfigError, loadConfig } from '@sluice/platform';
import { DECISION_LOG_PROCESS_CONFIG } from './decision-log-config.js';

const NEEDED = { SLUICE_ADMIN_URL: 'http://rules-admin:3000', SLUICE_ADMIN_TOKEN: 'an-admin-token', SLUICE_KAFKA_BROKERS: 'kafka-1:9092,kafka-2:9092' };

function faultsOf(env: Readonly<Record<string, string>>): readonly string[] {
  try {
    loadConfig(DECISION_LOG_PROCESS_CONFIG, env);
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
  return [];
}

describe('the environment of the decision log', () => {
  it('needs the control plane, a token and Kafka; the rest has defaults', () => {
    expect(loadConfig(DECISION_LOG_PROCESS_CONFIG, NEEDED)).toMatchObject({
      host: '0.0.0.0',
      port: 8092,
      adminUrl: 'http://rules-admin:3000',
      adminTokens: ['an-admin-token'],
      kafkaBrokers: ['kafka-1:9092', 'kafka-2:9092'],
      dataDir: '.sluice/decisions',
      clickhouseUrl: undefined,
      retentionMs: 30 * 86_400_000,
      logLevel: 'info',
    });
    expect(faultsOf({})).toEqual(['SLUICE_ADMIN_URL is required', 'SLUICE_ADMIN_TOKEN is required', 'SLUICE_KAFKA_BROKERS is required']);
  });

  it.each([
    ['SLUICE_DECISION_LOG_PORT', '65536'],
    ['SLUICE_DECISION_LOG_PORT', 'http'],
    ['SLUICE_DECISION_LOG_RETENTION', '10m'],
    ['SLUICE_DECISION_LOG_RETENTION', '30'],
    ['SLUICE_ADMIN_URL', 'rules-admin:3000'],
    ['SLUICE_ADMIN_TOKEN', 'short'],
    ['SLUICE_KAFKA_BROKERS', 'kafka'],
    ['SLUICE_CLICKHOUSE_URL', 'clickhouse://host'],
    ['SLUICE_LOG_LEVEL', 'loud'],
  ])('%s=%s is a fault that names it', (name, value) => {
    expect(faultsOf({ ...NEEDED, [name]: value })).toEqual([expect.stringContaining(name)]);
  });

  it('an unknown name is one too, with what may be meant; a secret is not repeated', () => {
    expect(faultsOf({ ...NEEDED, SLUICE_DECISION_LOG_PROT: '1' })).toEqual(['SLUICE_DECISION_LOG_PROT is unknown; did you mean SLUICE_DECISION_LOG_PORT?']);
    expect(faultsOf({ ...NEEDED, SLUICE_CLICKHOUSE_URL: 'tcp://user:hunter2@host' }).join()).not.toContain('hunter2');
  });

  it.each([['7d', 7 * 86_400_000], ['1h', 3_600_000]])('retention %s', (value, ms) => {
    expect(loadConfig(DECISION_LOG_PROCESS_CONFIG, { ...NEEDED, SLUICE_DECISION_LOG_RETENTION: value }).retentionMs).toBe(ms);
  });
});
