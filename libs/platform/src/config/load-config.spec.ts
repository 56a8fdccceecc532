import { ConfigError } from './config-error.js';
import { durationText } from './duration.js';
import { loadConfig } from './load-config.js';
import { optional } from './variable.js';
import { durationMs, flag, integer, list, oneOf, text, url } from './variable-kinds.js';

const spec = {
  databaseUrl: url('SLUICE_DATABASE_URL', { protocols: ['postgres:', 'postgresql:'], secret: true }),
  tokens: list(text('SLUICE_ADMIN_TOKEN', { secret: true, pattern: /^\S{8,}$/, expects: 'a token of at least 8 characters' })),
  port: integer('SLUICE_ADMIN_PORT', { min: 0, max: 65_535, default: 3000 }),
  migrate: flag('SLUICE_MIGRATE_ON_START', { default: true }),
  poll: durationMs('SLUICE_SNAPSHOT_POLL', { min: 100, max: 3_600_000, default: 30_000 }),
  level: oneOf('SLUICE_LOG_LEVEL', ['debug', 'info', 'warn'], { default: 'info' }),
  brokers: optional(list(text('SLUICE_KAFKA_BROKERS', { pattern: /^[^\s:]+:\d+$/, expects: 'host:port' }))),
} as const;

const required = { SLUICE_DATABASE_URL: 'postgres://u:hunter22@db/sluice', SLUICE_ADMIN_TOKEN: 'first-token' };

function faultsOf(env: Record<string, string>): readonly string[] {
  try {
    loadConfig(spec, env);
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
  return [];
}

describe('R90 configuration by environment variables', () => {
  it('fills defaults, types each value and freezes the object', () => {
    const config = loadConfig(spec, { ...required, SLUICE_KAFKA_BROKERS: 'a:9092, b:9092', SLUICE_SNAPSHOT_POLL: '250ms' });
    expect(config).toEqual({
      databaseUrl: 'postgres://u:hunter22@db/sluice',
      tokens: ['first-token'],
      port: 3000,
      migrate: true,
      poll: 250,
      level: 'info',
      brokers: ['a:9092', 'b:9092'],
    });
    expect(Object.isFrozen(config)).toBe(true);
    expect(Object.isFrozen(config.tokens)).toBe(true);
  });

  it('an absent optional variable is undefined', () => {
    expect(loadConfig(spec, required).brokers).toBeUndefined();
  });

  it('lists all faults at once and prints no secret', () => {
    const faults = faultsOf({
      SLUICE_DATABASE_URL: 'mysql://root:hunter22@db',
      SLUICE_ADMIN_TOKEN: 'good-token,s3cret',
      SLUICE_ADMIN_PORT: '70000',
      SLUICE_MIGRATE_ON_START: 'yes',
      SLUICE_SNAPSHOT_POLL: '30',
      SLUICE_LOG_LEVEL: 'loud',
      SLUICE_KAFKA_BROKERS: 'a:9092,,b:9092',
      SLUICE_REDIS_URLS: 'redis://x',
      SLUICE_BANANA: '1',
    });
    expect(faults).toHaveLength(9);
    const all = faults.join('\n');
    expect(all).not.toMatch(/hunter22|s3cret/);
    expect(all).toContain('"70000" is not a whole number from 0 to 65535');
    expect(all).toContain('item 2: it is empty');
    expect(all).toContain('SLUICE_REDIS_URLS is unknown; did you mean SLUICE_REDIS_URL?');
    expect(all).toMatch(/SLUICE_BANANA is unknown$/m);
  });

  it('a duration out of its range is told the range in units that one reads, and one that is none how it is written', () => {
    expect(faultsOf({ ...required, SLUICE_SNAPSHOT_POLL: '2d' })).toEqual(['SLUICE_SNAPSHOT_POLL: "2d" must be from 100ms to 1h']);
    expect(faultsOf({ ...required, SLUICE_SNAPSHOT_POLL: '30' })).toEqual(['SLUICE_SNAPSHOT_POLL: "30" is not a duration such as 250ms, 30s, 5m, 1h or 2d; it must be from 100ms to 1h']);
    expect([0, 1, 1_500, 90_000, 3_600_000, 3_660 * 86_400_000].map(durationText)).toEqual(['0ms', '1ms', '1500ms', '90s', '1h', '3660d']);
  });

  it('an empty value is a fault, not the default', () => {
    expect(faultsOf({ ...required, SLUICE_ADMIN_PORT: ' ' })).toEqual(['SLUICE_ADMIN_PORT is empty; unset it to take the default']);
  });

  it('a required variable that is absent is a fault', () => {
    expect(faultsOf({})).toEqual(['SLUICE_DATABASE_URL is required', 'SLUICE_ADMIN_TOKEN is required']);
  });

  it("other apps' variables, SLUICE_TEST_* and foreign names are no faults", () => {
    expect(faultsOf({ ...required, SLUICE_UPSTREAM_URL: 'x', SLUICE_TEST_ANYTHING: 'x', PATH: '/bin' })).toEqual([]);
  });

  it.each(['1e3', '0x10', '1.5', '-1', '99999999999999999999', 'NaN', '３'])('%s is no port', (port) => {
    expect(faultsOf({ ...required, SLUICE_ADMIN_PORT: port })).toHaveLength(1);
  });
});
