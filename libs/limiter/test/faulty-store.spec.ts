import { fakeClock } from '@sluice/testkit';
import { createLimiter, type CounterStore, memoryStore } from '../src/index.js';
import { rulesOf, START_MS } from './support/fixture.js';
import { Remote } from './support/remote.js';

const reject = (): Promise<never> => Promise.reject(new Error('boom'));
const fail = (): never => {
  throw new Error('boom');
};
const RULES = rulesOf([
  { rule_id: 'r', limit: 1_000, window_seconds: 60 },
  { rule_id: 'x', limit: 1_000, window_seconds: 60, policy: 'x', domain: 'exact', consistency: 'exact' },
  { rule_id: 'y', limit: 1_000, window_seconds: 60, policy: 'y', domain: 'exact', consistency: 'exact' },
  { rule_id: 'z', limit: 1_000, window_seconds: 60, policy: 'z', domain: 'far', consistency: 'approximate' },
]);
const METHODS: readonly (keyof CounterStore)[] = ['take', 'takeAll', 'giveBack', 'charge', 'reserve', 'claim', 'heartbeat'];

describe.each([
  ['rejects', reject],
  ['throws', fail],
] as const)('R41 a store that %s against its contract', (_how, broken) => {
  it.each(METHODS)('in %s is one that does not answer, and close() ends', async (method) => {
    const clock = fakeClock(START_MS);
    const store = Object.assign(new Remote(memoryStore(clock), () => clock.nowMs()), { heartbeat: () => Promise.resolve({ nodes: 1, place: 0 }), [method]: broken });
    const limiter = createLimiter({ store, rules: RULES, clock, fleetSize: 1 });
    for (const domain of ['other', 'exact', 'far']) {
      const attributes = { key_id: 'k', domain };
      expect((await limiter.check(attributes)).allowed).toBe(true);
      const { id } = await limiter.reserve(attributes, 5);
      await limiter.settle(id ?? '', 2);
      await limiter.refund(await limiter.check(attributes));
      await limiter.peek(attributes);
    }
    await limiter.close();
    const { faults, sideFaults } = limiter.stats();
    expect(faults + sideFaults).toBeGreaterThan(0);
  });
});
