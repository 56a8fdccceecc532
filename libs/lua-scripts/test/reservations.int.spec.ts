import { claimCommand, reservationKey, reserveCommand, runScript, type ScriptClient } from '@sluice/lua-scripts';
import { STORES, testKeys } from './support/redis.js';

describe.each(STORES)('R14 records of reservations on $name', ({ connect }) => {
  const newKey = testKeys();
  let client: ScriptClient;
  beforeAll(async () => {
    client = await connect();
  });
  afterAll(() => client.disconnect());

  const reserve = (key: string, record: string, ttlMs = 60_000) => runScript(client, reserveCommand(key, record, ttlMs));
  const claim = (key: string, claimant: string, keepMs?: number) => runScript(client, claimCommand(key, claimant, keepMs));

  it('are handed to one claimant, whatever they hold, and to nobody else', async () => {
    for (const record of ['', ':', 'a:b:c\n:d', '[1,{"x":"ä\u{1f600}"}]']) {
      const key = newKey();
      await reserve(key, record);
      expect(await claim(key, 'one')).toBe(record);
      expect(await claim(key, 'two')).toBeUndefined();
    }
  });

  it('are handed to one of many that come at once', async () => {
    const key = newKey();
    await reserve(key, 'record');
    const claims = await Promise.all(Array.from({ length: 20 }, (_, at) => claim(key, `claimant-${at}`)));
    expect(claims.filter((record) => record === 'record')).toHaveLength(1);
  });

  it('are handed again to the claimant that they went to, for a while', async () => {
    const key = newKey();
    await reserve(key, 'record');
    expect(await claim(key, 'one', 200)).toBe('record');
    expect(await claim(key, 'one', 60_000)).toBe('record');
    expect(await client.pttl(key)).toBeLessThanOrEqual(200);
    await new Promise((resolve) => setTimeout(resolve, 250));
    expect(await claim(key, 'one')).toBeUndefined();
  });

  it('R12 expire, and are nothing when they never were or are of a foreign kind', async () => {
    const key = newKey();
    await reserve(key, 'record', 50);
    expect(await client.pttl(key)).toBeGreaterThan(0);
    expect(await client.pttl(key)).toBeLessThanOrEqual(50);
    await new Promise((resolve) => setTimeout(resolve, 80));
    expect(await claim(key, 'one')).toBeUndefined();
    expect(await client.exists(key)).toBe(0);
    await client.rpush(key, 'x');
    expect(await claim(key, 'one')).toBeUndefined();
    await client.del(key);
    await client.set(key, 'no record');
    expect(await claim(key, 'one')).toBeUndefined();
  });

  it('R12 known failure 17: one that lost its TTL expires after the next claim, whoever has it', async () => {
    for (const [stored, answer] of [[':record', 'record'], ['one:record', 'record'], ['two:record', undefined], ['no record', undefined]] as const) {
      const key = newKey();
      await client.set(key, stored);
      expect(await claim(key, 'one', 5_000)).toBe(answer);
      expect(await client.pttl(key)).toBeGreaterThan(0);
      expect(await client.pttl(key)).toBeLessThanOrEqual(5_000);
    }
  });

  it('R45 throw for what no caller may send', () => {
    expect(() => reserveCommand('k', 'r', 0)).toThrow(RangeError);
    for (const claimant of ['', 'a:b', 'a b']) expect(() => claimCommand('k', claimant)).toThrow(RangeError);
    expect(reservationKey('id', 'p')).toBe('p{id}r');
  });
});
