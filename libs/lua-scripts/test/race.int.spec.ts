import { ALGORITHMS, quota } from '@sluice/algorithms';
import { runScript, takeCommand, type ScriptClient } from '@sluice/lua-scripts';
import { STORES, testKeys } from './support/redis.js';

const NODES = 8;
const LIMIT = 5;

describe.each(STORES)('R4 eight nodes race for a limit of five on $name', ({ connect }) => {
  const newKey = testKeys();
  let nodes: ScriptClient[];
  beforeAll(async () => {
    nodes = await Promise.all(Array.from({ length: NODES }, connect));
  });
  afterAll(() => nodes.forEach((node) => node.disconnect()));

  it.each(ALGORITHMS)('%s: the script admits exactly five', async (algorithm) => {
    for (let round = 0; round < 10; round += 1) {
      const key = newKey();
      const perMinute = quota({ algorithm, limit: LIMIT, windowMs: 60_000 });
      const outcomes = await Promise.all(nodes.map((node) => runScript(node, takeCommand(key, perMinute, 1, 1))));
      expect(outcomes.filter(({ granted }) => granted === 1)).toHaveLength(LIMIT);
    }
  });

  it('read, then write admits all eight when each has read before the first writes', async () => {
    const key = newKey();
    const counts = await Promise.all(nodes.map((node) => node.get(key)));
    // All have read: the barrier. Each now decides by what it saw.
    const admitted = await Promise.all(
      nodes.map(async (node, i) => {
        const count = Number(counts[i] ?? 0);
        if (count >= LIMIT) return false;
        await node.set(key, count + 1, 'PX', 60_000);
        return true;
      }),
    );
    expect(admitted.filter(Boolean)).toHaveLength(NODES);
  });
});
