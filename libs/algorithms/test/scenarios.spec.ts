import { playScenario, STORE_SCENARIOS } from '../src/contract/index.js';
import { PureCounter } from './support/pure-counter.js';

describe.each(STORE_SCENARIOS)('$title', (scenario) => {
  it.each(scenario.algorithms)('%s', async (algorithm) => {
    expect(await playScenario(new PureCounter(), scenario, algorithm)).toEqual([]);
  });
});
