import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { sharedKafka } from '@sluice/testkit';
import { setTimeout as sleep } from 'node:timers/promises';
import { ask } from './support/ask.js';
import { BUILD_TIMEOUT_MS, buildApps } from './support/build-apps.js';
import { freePlace, type Place } from './support/free-place.js';
import { halfARequest } from './support/half-a-request.js';
import { processTree, stillRunning } from './support/process-tree.js';
import { endPrograms, type Program, startProgram } from './support/program.js';
import { type RulesApi, rulesApi, setFreeLimit } from './support/rules-api.js';
import { until } from './support/until.js';

const TIMEOUT_MS = 90_000;

describe('R55 with Kafka a change of a rule is pushed', () => {
  let place: Place;
  let stack: Program;
  let api: RulesApi;
  let token: string;
  let key: string;
  let decisions = '';

  beforeAll(async () => {
    await buildApps();
    const [{ brokers }, free] = await Promise.all([sharedKafka(), freePlace()]);
    place = free;
    // Servers of the stack's own. Nobody polls before the test is over.
    stack = startProgram('stack', { ...place.env, SLUICE_KAFKA_BROKERS: brokers.join(','), SLUICE_SNAPSHOT_POLL: '1h' });
    [, token = ''] = await stack.untilSaid(/admin token +(\S+)/);
    [, key = ''] = await stack.untilSaid(/demo-free: (sk_\S+)/);
    await stack.untilSaid(/Ctrl-C stops it/);
    api = rulesApi(place.admin, token);
  }, BUILD_TIMEOUT_MS);

  afterAll(() => endPrograms(), TIMEOUT_MS);

  const limitAtGateway = async (): Promise<string> => String((await ask(`${place.gateway}/hello`, { headers: { 'x-api-key': key } })).headers['x-ratelimit-limit']);
  const limitAtDecision = async (): Promise<string> => {
    const { limits } = (await ask(`${place.decision}/v1/limits`, { headers: { 'x-api-key': key } })).json() as { limits: { limit: number }[] };
    return String(limits[0]?.limit);
  };
  const everywhere = (limit: number, timeoutMs: number): Promise<unknown> =>
    Promise.all([limitAtGateway, limitAtDecision].map((read) => until(async () => (await read()) === String(limit), timeoutMs)));

  it('and reaches every node in less than 2 s, long before they would poll', async () => {
    await untilPushesArrive();
    const times: number[] = [];
    for (const limit of [50, 60, 70]) {
      const startedMs = Date.now();
      await setFreeLimit(api, limit);
      await everywhere(limit, 10_000);
      times.push(Date.now() - startedMs);
      await sleep(300);
    }
    process.stdout.write(`R55: by the push a change of a rule reached both nodes in ${times.join(', ')} ms\n`);
    expect(Math.max(...times)).toBeLessThan(2000);
  }, TIMEOUT_MS);

  it('its decision log has a folder of its own, and the banner a line to ask it', async () => {
    const [health] = await stack.untilSaid(/health .*\/readyz/);
    expect(health).toContain(`${place.decisionLog}/readyz`);
    [, decisions = ''] = await stack.untilSaid(/decisions +in (\S+) {2}\(which goes when the stack stops\)/);
    expect(existsSync(join(decisions, 'decisions.duckdb'))).toBe(true);
    const [, url = ''] = await stack.untilSaid(/"(http:\S+\/v1\/decisions:explain\?key_id=demo-free&at=)\$\(date -u/);
    const asked = await ask(`${url}${new Date().toISOString()}`, { headers: { authorization: `Bearer ${token}` } });
    expect([asked.status, stack.output.includes(`-H "Authorization: Bearer ${token}" "${url}`)]).toEqual([200, true]);
  }, TIMEOUT_MS);

  it('R44 SIGTERM stops apps and servers with code 0 within 10 s, even with clients that hang in every app', async () => {
    const all = processTree(stack.pid);
    expect(all.length).toBeGreaterThan(5);
    await halfARequest(`${place.gateway}/upload`, { 'x-api-key': key });
    await halfARequest(`${place.decision}/v1/ratelimit:check`, {});
    await halfARequest(`${place.admin}/v1/keys`, { authorization: `Bearer ${token}` });
    await sleep(200);
    const startedMs = Date.now();
    expect(await stack.end('SIGTERM')).toBe(0);
    expect(Date.now() - startedMs).toBeLessThan(10_000);
    expect(stillRunning(all)).toEqual([]);
    expect(existsSync(decisions)).toBe(false);
  }, TIMEOUT_MS);

  /** The nodes are ready before they have joined their groups, since without Kafka they must be: the first pushes may come too early. */
  async function untilPushesArrive(): Promise<void> {
    for (let limit = 21; limit < 40; limit += 1) {
      await setFreeLimit(api, limit);
      if (await everywhere(limit, 1500).then(() => true, () => false)) return;
    }
    throw new Error('no push arrived');
  }
});
