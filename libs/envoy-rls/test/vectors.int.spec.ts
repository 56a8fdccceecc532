import { type RedisServer, startRedis } from '@sluice/testkit';
import type { Rule } from '@sluice/rules';
import { setTimeout as sleep } from 'node:timers/promises';
import { CODE } from '../src/messages.js';
import { answered, descriptor, request } from './support/ask.js';
import { overGrpc } from './support/over-grpc.js';
import { indexOf, type ServiceOnRedis, serviceOnRedis } from './support/service-on-redis.js';

/** As upstream counts: whole windows, every request at the store. */
const EXACT = { algorithm: 'fixed_window', consistency: 'exact' } as const;
const CONSISTENCIES = ['exact', 'leased'] as const;

/** Not within `ms` of the end of a window, which would be another one for what follows. */
async function awayFromTheEnd(windowMs: number, ms: number): Promise<void> {
  const leftMs = windowMs - (Date.now() % windowMs);
  if (leftMs < ms) await sleep(leftMs + 5);
}

describe.each(['asked in the process', 'asked over gRPC'] as const)("R73 upstream's own vectors, %s", (way) => {
  let redis: RedisServer;
  let open: ServiceOnRedis | undefined;

  async function on(...rules: readonly Partial<Rule>[]): Promise<ServiceOnRedis> {
    const made = await serviceOnRedis(redis, rules);
    open = made;
    if (way === 'asked in the process') return made;
    const { service, close } = await overGrpc(made.service);
    open = { ...made, service, close: async () => void (await close(), await made.close()) };
    return open;
  }
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterEach(async () => {
    await open?.close();
    open = undefined;
  });
  afterAll(() => redis.stop());

  it('(a) an unknown descriptor is OK with a bare status', async () => {
    const { service } = await on({ ...EXACT, descriptors: { key1: 'a' }, count_by: ['key1'] });
    expect(await answered(service(request([descriptor({ nobody: 'knows' })])))).toEqual({
      overallCode: CODE.ok,
      statuses: [{ code: CODE.ok, currentLimit: undefined, limitRemaining: 0, durationUntilResetMs: undefined }],
      responseHeadersToAdd: [],
      requestHeadersToAdd: [],
      rawBody: '',
    });
  });

  it.each(CONSISTENCIES)('(b) of 50 a second the first hit leaves 49, %s', async (consistency) => {
    const { service } = await on({ ...EXACT, consistency, domain: 'test', count_by: ['key1'], limit: 50, window_seconds: 1, policy: 'key1' });
    await awayFromTheEnd(1000, 200);
    expect(await answered(service(request([descriptor({ key1: 'foo' })])))).toMatchObject({
      overallCode: CODE.ok,
      statuses: [{ code: CODE.ok, currentLimit: { requestsPerUnit: 50, unit: 'SECOND', name: 'key1' }, limitRemaining: 49, durationUntilResetMs: 1000 }],
    });
  });

  it.each(CONSISTENCIES)('(c) of 20 a minute 25 hits are 20 OK with 19 to 0 left, then 5 over with 0, %s', async (consistency) => {
    const { service } = await on({ ...EXACT, consistency, count_by: ['key1'], limit: 20 });
    await awayFromTheEnd(60_000, 3_000);
    const statuses = [];
    for (let hit = 0; hit < 25; hit += 1) {
      const { overallCode, statuses: [status] } = await answered(service(request([descriptor({ key1: 'foo' })])));
      statuses.push([overallCode, status?.code, status?.limitRemaining]);
      expect(status?.currentLimit).toMatchObject({ requestsPerUnit: 20, unit: 'MINUTE' });
    }
    const left = Array.from({ length: 20 }, (_value, hit) => [CODE.ok, CODE.ok, 19 - hit]);
    expect(statuses).toEqual([...left, ...Array.from({ length: 5 }, () => [CODE.overLimit, CODE.overLimit, 0])]);
  });

  it.each(CONSISTENCIES)('(d) of two descriptors with 20 and 10 a minute the eleventh is over by the second, and the first stays OK, frozen at 10, %s', async (consistency) => {
    const { service } = await on(
      { ...EXACT, consistency, descriptors: { key1: 'foo' }, count_by: ['key1'], limit: 20 },
      { ...EXACT, consistency, descriptors: { key2: 'bar' }, count_by: ['key2'], limit: 10 },
    );
    await awayFromTheEnd(60_000, 3_000);
    for (let hit = 1; hit <= 15; hit += 1) {
      const { overallCode, statuses } = await answered(service(request([descriptor({ key1: 'foo' }), descriptor({ key2: 'bar' })])));
      const isOver = hit > 10;
      expect([hit, overallCode]).toEqual([hit, isOver ? CODE.overLimit : CODE.ok]);
      expect(statuses.map(({ code, limitRemaining }) => [code, limitRemaining])).toEqual([
        [CODE.ok, isOver ? 10 : 20 - hit],
        [isOver ? CODE.overLimit : CODE.ok, isOver ? 0 : 10 - hit],
      ]);
    }
  });

  it('(e) the reset of a day shrinks by two in two seconds', async () => {
    const { service } = await on({ ...EXACT, count_by: ['key1'], limit: 100, window_seconds: 86_400 });
    await awayFromTheEnd(86_400_000, 5_000);
    const seconds = async (): Promise<number> => ((await answered(service(request([descriptor({ key1: 'foo' })])))).statuses[0]?.durationUntilResetMs ?? NaN) / 1000;
    const [before, startedMs] = [await seconds(), Date.now()];
    await sleep(2000 - (Date.now() - startedMs));
    expect(before).toBeLessThanOrEqual(86_400);
    expect([before - 2, before - 3]).toContain(await seconds());
  });

  it('(f) a descriptor without a limit has one after a reload, without a restart', async () => {
    const { service, limiter } = await on({ ...EXACT, descriptors: { key1: 'a' }, count_by: ['key1'] });
    expect((await answered(service(request([descriptor({ key2: 'a' })])))).statuses[0]?.currentLimit).toBeUndefined();
    limiter.use(indexOf([{ ...EXACT, descriptors: { key2: 'a' }, count_by: ['key2'], limit: 3 }], 2));
    expect((await answered(service(request([descriptor({ key2: 'a' })])))).statuses[0]).toMatchObject({ currentLimit: { requestsPerUnit: 3 }, limitRemaining: 2 });
    expect((await answered(service(request([descriptor({ key1: 'a' })])))).statuses[0]?.currentLimit).toBeUndefined();
  });

  it('(g) a wildcard counts all values together where its rule counts by something else, and apart where it counts by the key', async () => {
    const shared = { ...EXACT, domain: 'shared', descriptors: { key1: '*' }, count_by: ['domain'], limit: 2 };
    const apart = { ...EXACT, domain: 'apart', descriptors: { key1: '*' }, count_by: ['key1'], limit: 2 };
    const { service } = await on(shared, apart);
    await awayFromTheEnd(60_000, 3_000);
    const codes = async (domain: string): Promise<number[]> => {
      const seen = [];
      for (const value of ['a', 'b', 'c', 'a']) seen.push((await answered(service(request([descriptor({ key1: value })], { domain })))).overallCode);
      return seen;
    };
    expect(await codes('shared')).toEqual([CODE.ok, CODE.ok, CODE.overLimit, CODE.overLimit]);
    expect(await codes('apart')).toEqual([CODE.ok, CODE.ok, CODE.ok, CODE.ok]);
  });
});
