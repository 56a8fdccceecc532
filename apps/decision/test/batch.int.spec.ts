import fc from 'fast-check';
import { type RedisStore, redisStore } from '@sluice/limiter';
import { type RedisServer, startRedis } from '@sluice/testkit';
import type { Rule } from '@sluice/rules';
import { type Answer, askJson, checkOf } from './asking.js';
import { type Stage, startStage } from './running-decision.js';

const RULES: readonly Rule[] = [
  { rule_id: 'small', version: 1, plan: 'free', limit: 6, window_seconds: 3600 },
  { rule_id: 'search', version: 1, plan: 'free', endpoint: 'GET /search', policy: 'search', limit: 3, window_seconds: 3600, algorithm: 'fixed_window' },
  { rule_id: 'large', version: 1, plan: 'pro', limit: 100_000, window_seconds: 3600 },
];

let stage: Stage;
beforeAll(async () => (stage = await startStage({ rules: RULES })));
afterAll(() => stage.close());

function batch(checks: unknown, of = stage): Promise<Answer> {
  return askJson(`${of.decision.url}/v1/ratelimit:batch`, { checks });
}
function single(check: unknown, of = stage): Promise<Answer> {
  return askJson(`${of.decision.url}/v1/ratelimit:check`, check);
}
function answersOf(answer: Answer): readonly Record<string, unknown>[] {
  expect(answer.status).toBe(200);
  return answer.body['answers'] as Record<string, unknown>[];
}

describe('R72 POST /v1/ratelimit:batch', () => {
  it('answers one to one, in order, with peeks and reservations among them', async () => {
    const caller = { plan: 'free', key_id: 'mixed' };
    const answers = answersOf(await batch([checkOf(caller, { cost: 2 }), checkOf({ plan: 'pro', key_id: 'mixed' }), checkOf(caller, { cost: 3, reserve: true }), checkOf(caller, { cost: 2 }), checkOf({ plan: 'none' }), checkOf({ plan: 'pro', key_id: 'mixed' }, { peek: true })]));
    expect(answers.map(({ overallCode, rule_id }) => [overallCode, rule_id])).toEqual([['OK', 'small'], ['OK', 'large'], ['OK', 'small'], ['OVER_LIMIT', 'small'], ['OK', undefined], ['OK', 'large']]);
    const id = answers[2]?.['decision_id'];
    expect((await askJson(`${stage.decision.url}/v1/ratelimit:refund`, { decision_id: id })).body).toMatchObject({ returned: 3 });
    expect((await single(checkOf(caller, { peek: true }))).body).toMatchObject({ limitRemaining: 4 });
  });

  it('has no RateLimit fields, since they would be those of one of them', async () => {
    const { headers } = await batch([checkOf({ plan: 'free', key_id: 'fields' })]);
    expect(['ratelimit', 'x-ratelimit-limit', 'retry-after', 'cache-control'].map((name) => headers.get(name))).toEqual([null, null, null, 'no-store']);
  });

  it('is decided as single checks are', async () => {
    const other = await startStage({ rules: RULES });
    let run = 0;
    try {
      const check = fc.record({ caller: fc.constantFrom('a', 'b'), search: fc.boolean(), cost: fc.integer({ min: 0, max: 7 }) });
      await fc.assert(
        fc.asyncProperty(fc.array(check, { minLength: 1, maxLength: 12 }), async (checks) => {
          run += 1;
          const bodies = checks.map(({ caller, search, cost }) => checkOf({ plan: 'free', key_id: `${run}-${caller}`, ...(search && { endpoint: 'GET /search' }) }, { cost }));
          const together = answersOf(await batch(bodies));
          const alone: Record<string, unknown>[] = [];
          for (const body of bodies) alone.push((await single(body, other)).body);
          // What a peek (cost 0) sees depends on whether the charges before it have landed; what is charged does not.
          const verdicts = (answers: readonly Record<string, unknown>[]): unknown[] =>
            answers.flatMap(({ overallCode, reason, cost, policies }) => (cost === 0 ? [] : [[overallCode, reason, (policies as { rule_id: string; allowed: boolean }[]).map(({ rule_id, allowed }) => [rule_id, allowed])]]));
          expect(verdicts(together)).toEqual(verdicts(alone));
          for (const caller of ['a', 'b']) {
            const rest = checkOf({ plan: 'free', key_id: `${run}-${caller}`, endpoint: 'GET /search' }, { peek: true });
            const left = ({ body }: Answer): unknown => (body['policies'] as { policy: string; remaining: number }[]).map(({ policy, remaining }) => [policy, remaining]);
            expect(left(await single(rest))).toEqual(left(await single(rest, other)));
          }
        }),
        { seed: 72, numRuns: 20 },
      );
    } finally {
      await other.close();
    }
  });

  it('refuses all for one that is malformed, points into it, and charges nothing', async () => {
    const good = checkOf({ plan: 'free', key_id: 'whole' });
    const answer = await batch([good, { ...good, cost: -1 }, 5, { ...good, descriptors: [{ key: 'a', value: 1 }] }, { ...good, peek: true, reserve: true }]);
    expect(answer.status).toBe(400);
    expect((answer.body['errors'] as { pointer: string }[]).map(({ pointer }) => pointer)).toEqual(['/checks/1/cost', '/checks/2', '/checks/3/descriptors/0/value', '/checks/4/reserve']);
    expect((await single(checkOf({ plan: 'free', key_id: 'whole' }, { peek: true }))).body).toMatchObject({ limitRemaining: 6 });
  });

  it.each<[string, unknown, string]>([
    ['an array', [], ''],
    ['nothing', {}, '/checks'],
    ['no checks', { checks: [] }, '/checks'],
    ['1001 checks', { checks: Array.from({ length: 1001 }, () => ({})) }, '/checks'],
    ['an object of checks', { checks: { 0: checkOf({ plan: 'free' }) } }, '/checks'],
    ['what it does not know', { checks: [checkOf({ plan: 'free' })], all: true }, '/all'],
  ])('refuses %s', async (_name, body, pointer) => {
    const answer = await askJson(`${stage.decision.url}/v1/ratelimit:batch`, body);
    expect([answer.status, (answer.body['errors'] as { pointer: string }[]).map((fault) => fault.pointer)]).toEqual([400, [pointer]]);
  });

  it('tells no more than 200 faults, takes 1,000 checks, and 413 above a mebibyte', async () => {
    const faulty = await batch(Array.from({ length: 1000 }, () => ({ domain: 1, descriptors: [], cost: -1 })));
    expect([faulty.status, (faulty.body['errors'] as unknown[]).length]).toEqual([400, 200]);
    const many = answersOf(await batch(Array.from({ length: 1000 }, (_, at) => checkOf({ plan: 'pro', key_id: `many-${at % 7}` }))));
    expect(many.filter(({ allowed }) => allowed === true)).toHaveLength(1000);
    expect((await batch([checkOf({ plan: 'x'.repeat(1_050_000) })])).status).toBe(413);
  });
});

describe('R22 the trips of a batch', () => {
  let redis: RedisServer;
  let store: RedisStore;
  beforeAll(async () => {
    redis = await startRedis();
    store = redisStore({ url: redis.url });
  });
  afterAll(async () => {
    await store.close();
    await redis.stop();
  });

  it('are one', async () => {
    const asking = await startStage({ rules: RULES, store });
    const trips = async (): Promise<number> => Number(/^sluice_limiter_trips_total\S* (\d+)$/m.exec(await (await fetch(`${asking.decision.url}/metrics`)).text())?.[1]);
    try {
      const before = await trips();
      answersOf(await batch(Array.from({ length: 200 }, (_, at) => checkOf({ plan: 'pro', key_id: `trip-${at}` })), asking));
      expect((await trips()) - before).toBe(1);
    } finally {
      await asking.close();
    }
  });
});
