import { fixedLeases } from '@sluice/limiter';
import { runScenario } from '../src/run-scenario.js';
import type { Scenario } from '../src/scenarios/scenario.js';
import { SCENARIOS } from '../src/scenarios/scenarios.js';

const SEED = 7;
/** Virtual time is quick, but a machine that is shared may not be. */
const TIMEOUT_MS = 60_000;

function scenario(name: string, windows: number): Scenario {
  const found = SCENARIOS.find((one) => one.name === name);
  if (found === undefined) throw new Error(`no scenario ${name}`);
  return { ...found, windows };
}

describe('R23 to R27 simulated fleets of real engines', () => {
  it.each([
    ['R24', '1000/60s 50 nodes 100 %', 3],
    ['R24', '10/s 3 nodes 90 %', 60],
    ['R24 and R26', '10000/s 50 nodes 100 %', 4],
    ['R25 and R26', '10000/s 50 nodes 150 %', 4],
    ['R25, the finer setting', '10000/s 50 nodes 150 % fine', 3],
    ['R25 at 200 times the limit', '100/s 50 nodes 20000 %', 3],
    ['R29', 'approximate 10000/s 50 nodes 90 %', 4],
    ['R29', 'approximate 10000/s 50 nodes 150 %', 4],
    ['R27', 'death of 1 of 3 nodes 10000/s 90 %', 4],
  ])('%s: %s', async (_requirement, name, windows) => {
    const { missed } = await runScenario(scenario(name, windows), { seed: SEED });
    expect(missed).toEqual([]);
  }, TIMEOUT_MS);
});

describe('the simulator itself', () => {
  it('gives the same figures for the same seed, and others for another', async () => {
    const one = scenario('100/s 50 nodes 150 %', 6);
    const first = await runScenario(one, { seed: SEED });
    expect(await runScenario(one, { seed: SEED })).toEqual(first);
    expect(await runScenario(one, { seed: SEED + 1 })).not.toEqual(first);
  }, TIMEOUT_MS);

  it('R25 misses the goal of trips with the textbook scheme: a fixed chunk, and nothing but the retry that the store names', async () => {
    const { missed, figures } = await runScenario(scenario('10000/s 50 nodes 150 %', 3), { seed: SEED, sizing: () => fixedLeases(50) });
    expect(missed).toContainEqual(expect.stringContaining('R25 trips a request'));
    expect(figures.tripsPerRequest).toBeGreaterThan(0.3);
  }, TIMEOUT_MS);

  it('R27 sees what a node takes along that holds more than 2 % of a limit', async () => {
    const plenty = { ...scenario('death of 1 of 3 nodes 10000/s 90 %', 3), load: 0.3 };
    const { missed } = await runScenario(plenty, { seed: SEED, sizing: () => fixedLeases(2000) });
    expect(missed).toContainEqual(expect.stringContaining('R27'));
  }, TIMEOUT_MS);
});
