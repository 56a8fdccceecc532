import { startRedisCluster, type RedisCluster } from './redis-cluster.js';
import { withRedis } from './redis-connection.js';
import { slotMove, slotPlace } from './slot-move.js';

const SLOT_OF_A = 15495;

describe('R90 a slot that moves', () => {
  let cluster: RedisCluster;
  beforeAll(async () => {
    cluster = await startRedisCluster();
  }, 60_000);
  afterAll(() => cluster.stop());

  it('answers ASK, TRYAGAIN and MOVED in turn, and takes its keys along with their TTL', async () => {
    const { owner, others } = await slotPlace(cluster, SLOT_OF_A);
    const [other] = others;
    if (other === undefined) throw new Error('one primary only');
    const get = (...keys: string[]): Promise<unknown> => withRedis(owner.port, (redis) => redis.mget(...keys)).catch(({ message }: Error) => message);
    await withRedis(owner.port, (redis) => Promise.all(['{a}1', '{a}2'].map((key) => redis.set(key, key, 'PX', 60_000))));
    const move = slotMove(SLOT_OF_A, owner, other);
    await move.begin();
    expect(await get('{a}1', '{a}2')).toEqual(['{a}1', '{a}2']);
    expect(await move.moveKeys(1)).toBe(1);
    expect(await get('{a}1', '{a}2')).toMatch(/^TRYAGAIN/);
    expect(await get('{a}3')).toMatch(new RegExp(`^ASK ${SLOT_OF_A} .*:${other.port}$`));
    await move.finish();
    expect(await get('{a}1')).toMatch(new RegExp(`^MOVED ${SLOT_OF_A} .*:${other.port}$`));
    expect(await withRedis(other.port, (redis) => redis.pttl('{a}2'))).toBeGreaterThan(30_000);
    expect((await slotPlace(cluster, SLOT_OF_A)).owner).toBe(other);
  }, 30_000);
});
