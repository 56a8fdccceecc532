import { randomBytes } from 'node:crypto';
import type { Outcome, Quota } from '@sluice/algorithms';
import { fakeClock, sharedRedis, sharedRedisCluster } from '@sluice/testkit';
import type { CounterPort } from '../../../algorithms/src/contract/index.js';
import { memoryStore, redisStore, StoreFault, type Answer, type CounterStore } from '../../src/index.js';
import { START_MS } from './fixture.js';

/** A store under test and the clock by which it decides. */
export interface Bench {
  readonly store: CounterStore;
  readonly clock: ReturnType<typeof fakeClock>;
}

async function redisBench(url: string): Promise<Bench> {
  const clock = fakeClock(START_MS);
  const store = redisStore({ url, timeoutMs: 5000, nowMs: () => clock.nowMs() });
  await store.ready(5000);
  return { store, clock };
}

/** Every store that Sluice has, made when a test asks for it. */
export const STORES: readonly (readonly [name: string, open: () => Promise<Bench>])[] = [
  [
    'memory',
    () => {
      const clock = fakeClock(START_MS);
      return Promise.resolve({ store: memoryStore(clock), clock });
    },
  ],
  ['Redis', async () => redisBench((await sharedRedis()).url)],
  ['Redis Cluster', async () => redisBench((await sharedRedisCluster()).url)],
];

/** A key that no other test has. */
export function freshKey(): string {
  return `t{${randomBytes(9).toString('base64url')}}`;
}

export function outcomeOf(answer: Answer | undefined): Outcome {
  if (answer === undefined || answer instanceof Error) throw answer ?? new Error('no answer');
  return answer;
}

/** One new counter of a store, as the scenarios of the algorithms' contract use it. */
export function counterOf({ store, clock }: Bench): CounterPort {
  const key = freshKey();
  const ask = async (quota: Quota, need: number, want: number): Promise<Outcome> => {
    const [answer] = await store.take([{ key, quota, need, want, backAmount: 0, backBucket: 0 }]);
    return outcomeOf(answer);
  };
  return {
    setNow: (nowMs) => clock.set(nowMs),
    acquire: ask,
    peek: (quota, cost) => ask(quota, cost, 0),
    async refund(quota, amount, bucket) {
      const [given = 0] = await store.giveBack([{ key, quota, amount, bucket }]);
      return given instanceof StoreFault ? 0 : given;
    },
    async charge(quota, amount, onlyIfAbsent) {
      const [answer] = await store.charge([{ key, quota, amount, onlyIfAbsent }]);
      return outcomeOf(answer);
    },
    reset: () => store.reset([key]),
  };
}
