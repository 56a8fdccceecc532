import { freePort, sharedPostgres, startRedis } from '@sluice/testkit';
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, ask } from '../support/ask.js';
import { BUILD_TIMEOUT_MS, buildApps } from '../support/build-apps.js';
import { endPrograms, startProgram } from '../support/program.js';
import { ADMIN_TOKEN, type RulesAdminProcess, startRulesAdmin } from '../support/rules-admin.js';
import { until } from '../support/until.js';

const TIMEOUT_MS = 60_000;
const PER_IP = { domain: 'example', count_by: ['ip'], limit: 3, window_seconds: 2, algorithm: 'fixed_window', consistency: 'exact' };
const SEARCH = { ...PER_IP, descriptors: { rule: 'search' }, policy: 'search', limit: 12, window_seconds: 3600 };

type Start = (options: { readonly port: number; readonly limiter: { readonly rules: { readonly adminUrl: string; readonly token: string; readonly pollMs: number } } }) => Promise<{ readonly url: string; close(): Promise<void> }>;

/** What each of the examples does, with a control plane of its own. */
export function exampleStory(name: 'express' | 'fastify' | 'nest', start: Start): void {
  describe(`R75 examples/${name}`, () => {
    let admin: RulesAdminProcess;
    let app: Awaited<ReturnType<Start>>;

    async function put(path: string, rule: object, headers: Readonly<Record<string, string>>): Promise<void> {
      const { status, text } = await admin.api.put(path, rule, headers);
      if (status >= 300) throw new Error(`the rule was not written: ${status} ${text}`);
    }
    async function limitIs(limit: number): Promise<void> {
      const { headers } = await admin.api.get('/v1/rules/example');
      await put('/v1/rules/example', { ...PER_IP, limit }, { 'if-match': headers.etag ?? '' });
    }
    /** Asks till one is refused, in a window of which all is left: that refusal, and how many were served. */
    async function tillRefused(url: string): Promise<{ served: number; refused: Answer }> {
      await sleep(2_100 - (Date.now() % 2_000));
      for (let served = 0; ; served += 1) {
        const answer = await ask(url);
        if (answer.status !== 200) return { served, refused: answer };
      }
    }

    beforeAll(async () => {
      await buildApps();
      admin = await startRulesAdmin((await sharedPostgres()).url);
      await put('/v1/rules/example', PER_IP, { 'if-none-match': '*' });
      await put('/v1/rules/search', SEARCH, { 'if-none-match': '*' });
      app = await start({ port: 0, limiter: { rules: { adminUrl: admin.url, token: ADMIN_TOKEN, pollMs: 200 } } });
    }, BUILD_TIMEOUT_MS);

    afterAll(async () => {
      await app?.close();
      await endPrograms();
    }, TIMEOUT_MS);

    it('R70 three pass, the next is refused with the fields, and who waits as told is served', async () => {
      const { served, refused } = await tillRefused(`${app.url}/hello`);
      expect([served, refused.status]).toEqual([3, 429]);
      expect(refused.headers).toMatchObject({ 'x-ratelimit-limit': '3', 'x-ratelimit-remaining': '0', 'ratelimit-policy': '"default";q=3;w=2', 'cache-control': 'no-store' });
      expect(refused.headers['content-type']).toMatch(/^application\/problem\+json/);
      expect(refused.json()).toMatchObject({ status: 429, 'violated-policies': ['default'] });
      await sleep(1000 * Number(refused.headers['retry-after']));
      const answer = await ask(`${app.url}/hello`);
      expect([answer.status, answer.headers['x-ratelimit-limit'], answer.json()]).toEqual([200, '3', { hello: 'world' }]);
    }, TIMEOUT_MS);

    it('R1 a route with a name meets the rules of that name, at its cost', async () => {
      await sleep(2_100 - (Date.now() % 2_000));
      await limitIs(1_000);
      await until(async () => (await ask(`${app.url}/hello`)).headers['x-ratelimit-limit'] === '1000');
      const answers = [await ask(`${app.url}/search`), await ask(`${app.url}/search`), await ask(`${app.url}/search`)];
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
      expect(answers[2]?.json()).toMatchObject({ 'violated-policies': ['search'] });
    }, TIMEOUT_MS);

    it('R55 a rule that an admin changes takes hold without a restart', async () => {
      await limitIs(5);
      await until(async () => (await ask(`${app.url}/hello`)).headers['x-ratelimit-limit'] === '5');
      expect((await tillRefused(`${app.url}/hello`)).served).toBe(5);
    }, TIMEOUT_MS);

    it('R44 as a process it starts by its environment, and ends on SIGTERM though a client is kept alive', async () => {
      const program = startProgram(`example-${name}`, { PORT: String(await freePort()), SLUICE_ADMIN_URL: admin.url, SLUICE_ADMIN_TOKEN: ADMIN_TOKEN });
      const [, url = ''] = await program.untilSaid(/listening on (\S+)/);
      const agent = new Agent({ keepAlive: true });
      const status = await new Promise((resolve, reject) => {
        request(`${url}/hello`, { agent }, (response) => response.resume().once('end', () => resolve(response.statusCode))).once('error', reject).end();
      });
      expect(status).toBe(200);
      const startMs = performance.now();
      expect(await program.end('SIGTERM')).toBe(0);
      expect(performance.now() - startMs).toBeLessThan(10_000);
      agent.destroy();
    }, TIMEOUT_MS);

    it('asks the decision service, where the environment names one', async () => {
      const [decisionPort, port] = [await freePort(), await freePort()];
      const redis = await startRedis();
      const decision = startProgram('decision', {
        SLUICE_ADMIN_URL: admin.url,
        SLUICE_ADMIN_TOKEN: ADMIN_TOKEN,
        SLUICE_REDIS_URL: redis.url,
        SLUICE_DECISION_HOST: '127.0.0.1',
        SLUICE_DECISION_PORT: String(decisionPort),
        SLUICE_DECISION_GRPC_PORT: String(await freePort()),
        SLUICE_LOG_LEVEL: 'warn',
      });
      const decisionUrl = `http://127.0.0.1:${decisionPort}`;
      await until(async () => (await ask(`${decisionUrl}/readyz`)).status === 200).catch((error: unknown) => {
        throw new Error(decision.output, { cause: error });
      });
      // A machine that is busy with other tests is no service that is away, without which all would pass.
      const program = startProgram(`example-${name}`, { PORT: String(port), SLUICE_DECISION_URL: decisionUrl, DECISION_TIMEOUT_MS: '10000' });
      const [, url = ''] = await program.untilSaid(/listening on (\S+)/);
      const { served, refused } = await tillRefused(`${url}/hello`);
      expect([served, refused.status, refused.headers['x-ratelimit-limit']]).toEqual([5, 429, '5']);
      expect(await program.end('SIGTERM')).toBe(0);
      await decision.end('SIGTERM');
      await redis.stop();
    }, TIMEOUT_MS);
  });
}
