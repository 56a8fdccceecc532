import type { VariableName } from './variable.js';

/**
 * Every variable that some app of Sluice reads. One environment is often shared by several apps, so that a name which this
 * app does not read is a fault only if no app does. `SLUICE_TEST_*` belongs to the tests.
 */
export const KNOWN_VARIABLES: ReadonlySet<string> = new Set<VariableName>([
  'SLUICE_ADMIN_HOST',
  'SLUICE_ADMIN_PORT',
  'SLUICE_ADMIN_TOKEN',
  'SLUICE_ADMIN_URL',
  'SLUICE_CORS_ORIGINS',
  'SLUICE_DATABASE_URL',
  'SLUICE_DATA_DIR',
  'SLUICE_DECISION_HOST',
  'SLUICE_DECISION_PORT',
  'SLUICE_DECISION_TOKEN',
  'SLUICE_FLEET_SIZE',
  'SLUICE_GATEWAY_HOST',
  'SLUICE_GATEWAY_OPS_PORT',
  'SLUICE_GATEWAY_PORT',
  'SLUICE_HOT_KEYS',
  'SLUICE_IDEMPOTENCY_TTL',
  'SLUICE_KAFKA_BROKERS',
  'SLUICE_KEY_TTL',
  'SLUICE_LOG_LEVEL',
  'SLUICE_MIGRATE_ON_START',
  'SLUICE_NODE_ID',
  'SLUICE_REDIS_URL',
  'SLUICE_REGION',
  'SLUICE_SNAPSHOT_FILE',
  'SLUICE_SNAPSHOT_POLL',
  'SLUICE_TRUSTED_PROXIES',
  'SLUICE_UPSTREAM_TIMEOUT',
  'SLUICE_UPSTREAM_URL',
]);
