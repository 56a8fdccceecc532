import { type RedisServer, sharedPostgres, startRedis, type TestDatabase } from '@sluice/testkit';
import { type Answer, ask } from './support/ask.js';
import { BUILD_TIMEOUT_MS, buildApps } from './support/build-apps.js';
import { freePlace, type Place } from './support/free-place.js';
import { endPrograms, startProgram } from './support/program.js';
import { type RulesApi, rulesApi } from './support/rules-api.js';
import { until } from './support/until.js';

const TIMEOUT_MS = 90_000;
/** Asked every time, and without an end of a window in which a test could come. */
const RULE = { plan: 'free', endpoint: '*', limit: 30, window_seconds: 600, algorithm: 'sliding_log', consistency: 'exact' };

interface Report {
  readonly version: number;
  readonly complete_until: string | null;
  readonly totals: { readonly evaluated: number; readonly would_refuse: number; readonly unknown: number };
  readonly over_time: readonly { readonly evaluated: number }[];
  readonly by_key: readonly { readonly key: string; readonly evaluated: number; readonly would_refuse: number }[];
}

describe('R58 a staged change, on running nodes', () => {
  let place: Place;
  let database: TestDatabase;
  let redis: RedisServer;
  let api: RulesApi;

  const newKey = async (keyId: string): Promise<Readonly<Record<string, string>>> => {
    const made = await api.send('POST', '/v1/keys', { tenant_id: 'demo-free', name: keyId, key_id: keyId });
    return { 'x-api-key': (made.json() as { secret: string }).secret };
  };
  const tagOf = async (path: string): Promise<string> => String((await api.get(path)).headers.etag);
  const report = async (): Promise<Report> => (await api.get('/v1/rules/free-default/shadow-report')).json() as Report;

  /** Until both nodes decide by the version that there is now. */
  async function everywhere(): Promise<void> {
    const { version } = (await api.get('/v1/snapshot')).json() as { version: number };
    await until(async () => new RegExp(`^sluice_snapshot_version(?:\\{.*\\})? ${version}$`, 'm').test((await ask(`${place.ops}/metrics`)).text), 10_000);
    await until(async () => new RegExp(`^sluice_snapshot_version(?:\\{.*\\})? ${version}$`, 'm').test((await ask(`${place.decision}/metrics`)).text), 10_000);
  }

  async function throughGateway(key: Readonly<Record<string, string>>, count: number): Promise<readonly Answer[]> {
    const answers: Answer[] = [];
    for (let at = 0; at < count; at += 1) answers.push(await ask(`${place.gateway}/hello`, { headers: key }));
    return answers;
  }

  const check = (keyId: string): Promise<Answer> => {
    const descriptors = Object.entries({ plan: 'free', key_id: keyId, endpoint: 'GET /hello' }).map(([key, value]) => ({ key, value }));
    return ask(`${place.decision}/v1/ratelimit:check`, { method: 'POST', body: { domain: 'api', descriptors } });
  };
  const of = (answers: readonly Answer[], status: number): number => answers.filter((answer) => answer.status === status).length;

  beforeAll(async () => {
    await buildApps();
    [place, database, redis] = await Promise.all([freePlace(), sharedPostgres(), startRedis()]);
    const stack = startProgram('stack', { ...place.env, SLUICE_DATABASE_URL: database.url, SLUICE_REDIS_URL: redis.url });
    await stack.untilSaid(/Ctrl-C stops it/);
    const [, token = ''] = await stack.untilSaid(/admin token +(\S+)/);
    api = rulesApi(place.admin, token);
    expect((await api.put('/v1/rules/free-default', RULE, { 'if-match': '*' })).status).toBe(200);
    await everywhere();
  }, BUILD_TIMEOUT_MS);

  afterAll(async () => {
    await endPrograms();
    await Promise.all([redis.stop(), database.drop()]);
  }, TIMEOUT_MS);

  /** Decisions and outcomes that a busy Redis had no part in. */
  async function guesses(): Promise<number> {
    const pages = await Promise.all([place.ops, place.decision].map(async (url) => (await ask(`${url}/metrics`)).text));
    const lines = pages.flatMap((page) => [...page.matchAll(/^sluice_(?:decisions_total\{.*source="fallback"|shadow_outcomes_total\{.*outcome="unknown").*\} (\d+)$/gm)]);
    return lines.reduce((sum, [, count]) => sum + Number(count), 0);
  }

  /** Runs a story with fresh keys until Redis has answered all of it in time: on a machine that is busy with other tests it may not. */
  async function undisturbed<T>(story: (attempt: number) => Promise<T>): Promise<T> {
    for (let attempt = 1; attempt < 6; attempt += 1) {
      const before = await guesses();
      const result = await story(attempt);
      if ((await guesses()) === before) return result;
    }
    throw new Error('Redis did not answer in time, five times');
  }

  it('is proposed, watched on every node, and refuses exactly what it was said to refuse once it is promoted', async () => {
    expect((await api.put('/v1/rules/free-default/proposal', { ...RULE, limit: 12 }, { 'if-none-match': '*' })).status).toBe(201);
    await everywhere();

    const attempt = await undisturbed(async (at) => {
      const answers = await throughGateway(await newKey(`watched-${at}`), 40);
      expect(new Set(answers.map(({ headers }) => headers['x-ratelimit-limit']))).toEqual(new Set(['30']));
      const passed: unknown[] = [];
      for (let times = 0; times < 20; times += 1) passed.push((await check(`by-decision-${at}`)).json());
      return { at, passed, statuses: [of(answers, 200), of(answers, 429)] };
    });
    expect(attempt.statuses).toEqual([30, 10]);
    for (const answer of attempt.passed) expect(answer).toMatchObject({ overallCode: 'OK', limit: 30 });

    const countsOf = async (key: string): Promise<unknown> => (await report()).by_key.find((each) => each.key === key);
    await until(async () => (await report()).totals.evaluated >= 60 && (await countsOf(`by-decision-${attempt.at}`)) !== undefined && (await countsOf(`watched-${attempt.at}`)) !== undefined, 30_000);
    await until(async () => (await report()).by_key.reduce((sum, { evaluated }) => sum + evaluated, 0) >= 60 * attempt.at - (await report()).totals.unknown, 30_000);
    const seen = await report();
    expect(seen.by_key.find(({ key }) => key === `watched-${attempt.at}`)).toEqual({ key: `watched-${attempt.at}`, evaluated: 40, would_refuse: 28 });
    expect(seen.by_key.find(({ key }) => key === `by-decision-${attempt.at}`)).toEqual({ key: `by-decision-${attempt.at}`, evaluated: 20, would_refuse: 8 });
    expect(seen.over_time.reduce((sum, { evaluated }) => sum + evaluated, 0)).toBe(seen.totals.evaluated);
    expect(seen.complete_until).not.toBeNull();

    expect((await api.send('POST', '/v1/rules/free-default/proposal:promote', undefined, { 'if-match': '"v9"' })).status).toBe(412);
    expect((await api.send('POST', '/v1/rules/free-default/proposal:promote', undefined, { 'if-match': await tagOf('/v1/rules/free-default/proposal') })).status).toBe(200);
    await everywhere();
    const after = await undisturbed(async (at) => throughGateway(await newKey(`enforced-${at}`), 40));
    expect([of(after, 200), of(after, 429)]).toEqual([12, 28]);
  }, TIMEOUT_MS);

  it('is discarded, and nobody is refused by it', async () => {
    expect((await api.put('/v1/rules/free-default/proposal', { ...RULE, limit: 1 }, { 'if-none-match': '*' })).status).toBe(201);
    await everywhere();
    const at = await undisturbed(async (attempt) => {
      expect(of(await throughGateway(await newKey(`spared-${attempt}`), 4), 200)).toBe(4);
      return attempt;
    });
    await until(async () => (await report()).by_key.some(({ key, would_refuse: refused }) => key === `spared-${at}` && refused === 3), 30_000);
    const { version, totals } = await report();
    expect((await api.send('DELETE', '/v1/rules/free-default/proposal', undefined, { 'if-match': await tagOf('/v1/rules/free-default/proposal') })).status).toBe(204);
    await everywhere();
    expect(of(await throughGateway(await newKey('spared'), 4), 200)).toBe(4);
    expect((await api.get('/v1/rules/free-default/shadow-report')).status).toBe(404);
    expect((await api.get(`/v1/rules/free-default/shadow-report?of=proposal&version=${version}`)).json()).toMatchObject({ totals });
  }, TIMEOUT_MS);

  it('a rule in shadow is promoted', async () => {
    expect((await api.put('/v1/rules/hello', { ...RULE, endpoint: 'GET /hello', limit: 3, mode: 'shadow' }, { 'if-none-match': '*' })).status).toBe(201);
    await everywhere();
    const key = await undisturbed(async (at) => {
      const made = await newKey(`route-${at}`);
      expect(of(await throughGateway(made, 6), 200)).toBe(6);
      return made;
    });
    expect((await api.send('POST', '/v1/rules/hello:promote', undefined, { 'if-match': await tagOf('/v1/rules/hello') })).status).toBe(200);
    await everywhere();
    // Its counters go on: this key has used up what the rule admits.
    expect(of(await undisturbed(() => throughGateway(key, 3)), 429)).toBe(3);
    expect(of(await undisturbed(async (at) => throughGateway(await newKey(`fresh-${at}`), 6)), 200)).toBe(3);
  }, TIMEOUT_MS);
});
