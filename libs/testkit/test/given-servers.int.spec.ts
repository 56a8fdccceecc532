import { sharedKafka, sharedPostgres, sharedRedis, sharedRedisCluster } from '@sluice/testkit';
import { withPostgres } from '../src/postgres/with-postgres.js';

describe('R90 environment variables point shared servers at running ones', () => {
  const NAMES = ['SLUICE_TEST_REDIS_URL', 'SLUICE_TEST_REDIS_CLUSTER_URLS', 'SLUICE_TEST_KAFKA_BROKERS', 'SLUICE_TEST_DATABASE_URL'];
  const before = NAMES.map((name) => [name, process.env[name]] as const);
  afterEach(() => {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  });

  it('Redis, Redis Cluster and Kafka', async () => {
    process.env['SLUICE_TEST_REDIS_URL'] = 'redis://redis.test:6379';
    process.env['SLUICE_TEST_REDIS_CLUSTER_URLS'] = 'redis://a.test:1, redis://b.test:2';
    process.env['SLUICE_TEST_KAFKA_BROKERS'] = 'a.test:9092,b.test:9092';
    expect(await sharedRedis()).toEqual({ url: 'redis://redis.test:6379' });
    expect(await sharedRedisCluster()).toEqual({
      urls: ['redis://a.test:1', 'redis://b.test:2'],
      url: 'redis://a.test:1,redis://b.test:2',
    });
    expect(await sharedKafka()).toEqual({ brokers: ['a.test:9092', 'b.test:9092'], kind: 'kafka' });
  });

  it('PostgreSQL, where each still gets a fresh database', async () => {
    const given = await sharedPostgres();
    await withPostgres(given.url, (client) => client.query('CREATE TABLE t (n int)'));
    process.env['SLUICE_TEST_DATABASE_URL'] = given.url;
    const fresh = await sharedPostgres();
    expect(new URL(fresh.url).host).toBe(new URL(given.url).host);
    const { rows } = await withPostgres(fresh.url, (client) => client.query("SELECT to_regclass('t') AS found"));
    expect(rows).toEqual([{ found: null }]);
    await fresh.drop();
    delete process.env['SLUICE_TEST_DATABASE_URL'];
    await given.drop();
  }, 60_000);
});
