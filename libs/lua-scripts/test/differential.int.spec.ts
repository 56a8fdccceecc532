import { ALGORITHMS } from '@sluice/algorithms';
import { runScripts, type ScriptClient } from '@sluice/lua-scripts';
import fc from 'fast-check';
import { quotaFamilies, strengths } from './support/quotas.js';
import { STORES, testKeys } from './support/redis.js';
import { play, steps } from './support/sequence.js';

/** A longer hunt: `SLUICE_FUZZ=20 SLUICE_FUZZ_SEED=7`. */
const LONGER = Number(process.env['SLUICE_FUZZ'] ?? 1);
const SEED = Number(process.env['SLUICE_FUZZ_SEED'] ?? 20261130);

const starts = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 1_760_000_000_000, max: 1_790_000_000_000 }) },
  { weight: 1, arbitrary: fc.constantFrom(0, 1_000, 999_999_999_000, 9_000_000_000_000) },
);

describe.each(STORES)('R3 the scripts on $name and the pure functions', ({ name, connect }) => {
  const newKey = testKeys();
  const numRuns = LONGER * (name === 'Redis' ? 700 : 60);
  let client: ScriptClient;
  beforeAll(async () => {
    client = await connect();
  });
  afterAll(() => client.disconnect());

  it.each(ALGORITHMS)('%s: answer the same to any sequence of take, peek, refund, charge, give-back, usage and change of limit', async (algorithm) => {
    await fc.assert(
      fc.asyncProperty(quotaFamilies(algorithm), strengths, starts, steps, async (family, first, startMs, script) => {
        const { commands, expected, trace } = play(newKey(), family, first, startMs, script);
        const results = await runScripts(client, commands);
        results.forEach((result, i) => {
          const actual = result.status === 'fulfilled' ? result.value : String(result.reason);
          expect({ call: trace.slice(0, i + 1), answer: actual }).toEqual({ call: trace.slice(0, i + 1), answer: expected[i] });
        });
      }),
      { numRuns, seed: SEED },
    );
  }, LONGER * 30_000);

  it.each(ALGORITHMS)('R61 %s: answer the same as a store that forgets what is wholly free, whatever the limit becomes', async (algorithm) => {
    await fc.assert(
      fc.asyncProperty(quotaFamilies(algorithm), strengths, starts, steps, async (family, first, startMs, script) => {
        const { commands, expected, trace } = play(newKey(), family, first, startMs, script, true);
        const results = await runScripts(client, commands);
        const answers = results.map((result) => (result.status === 'fulfilled' ? result.value : String(result.reason)));
        expect({ trace, answers }).toEqual({ trace, answers: expected });
      }),
      { numRuns: numRuns / 2, seed: SEED },
    );
  }, LONGER * 30_000);
});
