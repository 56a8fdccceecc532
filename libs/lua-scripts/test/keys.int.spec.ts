import { quota } from '@sluice/algorithms';
import { counterKey, keySlot, runScript, runScripts, takeCommand, type ScriptClient } from '@sluice/lua-scripts';
import fc from 'fast-check';
import { STORES } from './support/redis.js';

const once = quota({ algorithm: 'fixed_window', limit: 1, windowMs: 366 * 86_400_000 });

describe.each(STORES)('R11 keys on $name', ({ name, connect }) => {
  const prefix = `k${process.pid.toString(36)}${Date.now().toString(36)}:`;
  let client: ScriptClient;
  beforeAll(async () => {
    client = await connect();
  });
  afterAll(() => client.disconnect());

  it('different values have different counters, whatever bytes they hold', async () => {
    const parts = [':', '{', '}', '|', '~', '\n', '\0', ' ', 'a', 'b', 'é', 'e\u0301', '😀', '\ud83d', '\ude00', '\ufffd', '"', '\\'];
    const lists = new Map<string, string[]>();
    for (const a of parts) {
      for (const b of ['', ...parts]) {
        for (const values of [[a + b], [a, b], [b, a], ['', a, b]]) lists.set(JSON.stringify(values), values);
      }
    }
    const commands = [...lists.values()].map((values) => takeCommand(counterKey('r', values, prefix), once, 1, 1));
    const results = await runScripts(client, commands);
    expect(results.filter((result) => result.status === 'fulfilled' && result.value.granted === 1)).toHaveLength(lists.size);
  });

  it('known failure 31: a key of 100 KB is limited', async () => {
    const command = takeCommand(counterKey('r', ['\u0001'.repeat(100_000)], prefix), once, 1, 1);
    expect((await runScript(client, command)).granted).toBe(1);
    expect((await runScript(client, command)).granted).toBe(0);
  });

  if (name === 'Redis Cluster') {
    it('known failure 23: keySlot is what CLUSTER KEYSLOT says', async () => {
      const keys = fc.sample(fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: fc.constantFrom('{', '}', 'a', 'ü', '') })), { numRuns: 500, seed: 23 });
      for (const key of [...keys, '{}', '{}a', 'a{}b{c}', 'a{b', '}{a}', counterKey('r', ['{x}'], prefix)]) {
        expect([key, keySlot(key)]).toEqual([key, await client.cluster('KEYSLOT', key)]);
      }
    });
  }
});
