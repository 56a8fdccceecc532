import { request } from 'node:http';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Rule } from '@sluice/rules';
import { freePort, type RedisServer, startRedis } from '@sluice/testkit';
import { grpcClient } from '../../../libs/envoy-rls/test/grpc-client.js';
import { RLS } from '../../../libs/envoy-rls/test/load-proto.js';
import { type ControlPlane, startControlPlane } from '../../../libs/snapshot-client/test/control-plane.js';
import { BUILD_TIMEOUT_MS, buildApps } from './support/build-apps.js';
import { halfARequest } from './support/half-a-request.js';
import { endPrograms, type Program, startProgram } from './support/program.js';
import { killNow } from './support/kill-now.js';
import { until } from './support/until.js';

const TIMEOUT_MS = 60_000;
const RULES: readonly Rule[] = [
  { rule_id: 'shared', version: 1, count_by: ['user_id'], limit: 400, window_seconds: 3_600 },
  { rule_id: 'wide', version: 1, count_by: ['ip'], policy: 'wide', limit: 1_000_000, window_seconds: 3_600 },
];

describe('a decision service of several processes', () => {
  let redis: RedisServer;
  let plane: ControlPlane;
  let dir: string;
  let port: number;
  let service: Program;

  beforeAll(async () => {
    await buildApps();
    redis = await startRedis();
  }, BUILD_TIMEOUT_MS);
  afterAll(async () => {
    await endPrograms();
    await redis.stop();
  });
  beforeEach(async () => {
    plane = await startControlPlane({ version: 3, plans: [], rules: RULES, overrides: [] });
    dir = mkdtempSync(join(tmpdir(), 'sluice-processes-'));
    port = await freePort();
  });
  afterEach(async () => {
    await endPrograms();
    await plane.close();
    rmSync(dir, { recursive: true, force: true });
  });

  const url = (path: string): string => `http://127.0.0.1:${port}${path}`;
  const start = async (env: Readonly<Record<string, string>>): Promise<void> => {
    service = startProgram('decision', {
      SLUICE_REDIS_URL: redis.url,
      SLUICE_ADMIN_URL: plane.url,
      SLUICE_ADMIN_TOKEN: 'node-token',
      SLUICE_DECISION_HOST: '127.0.0.1',
      SLUICE_DECISION_PORT: `${port}`,
      SLUICE_DECISION_GRPC_PORT: `${await freePort()}`,
      SLUICE_SNAPSHOT_POLL: '200ms',
      ...env,
    });
  };
  const ready = (): Promise<void> => until(async () => (await fetch(url('/readyz'))).status === 200, 30_000).catch((error: unknown) => {
    throw new Error(`not ready:\n${service.output}`, { cause: error });
  });

  /** One request on a connection of its own, so that another process may have it. */
  function check(attributes: Record<string, string>): Promise<{ status: number; allowed: boolean }> {
    const body = JSON.stringify({ domain: 'api', descriptors: Object.entries(attributes).map(([key, value]) => ({ key, value })) });
    return new Promise((resolve, reject) => {
      const asked = request(url('/v1/ratelimit:check'), { method: 'POST', agent: false, headers: { 'Content-Type': 'application/json' } });
      asked.once('error', reject);
      asked.once('response', (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => (text += part));
        response.once('end', () => resolve({ status: response.statusCode ?? 0, allowed: response.statusCode === 200 && (JSON.parse(text) as { allowed: boolean }).allowed }));
      });
      asked.end(body);
    });
  }
  const metric = async (pattern: RegExp): Promise<string | undefined> => pattern.exec(await (await fetch(url('/metrics'))).text())?.[1];
  const pidsOf = (node: string): number[] =>
    service.output.split('\n').flatMap((line) => {
      const said = line.startsWith('{') ? (JSON.parse(line) as { node_id?: string; pid: number; msg: string }) : undefined;
      return said?.node_id === node && said.msg === 'listening' ? [said.pid] : [];
    });

  it('R5 shares one port and one limit, is measured as a whole, and goes on when a process is killed under load', async () => {
    await start({ SLUICE_DECISION_PROCESSES: '3', SLUICE_NODE_ID: 'edge' });
    await ready();
    const answers: boolean[] = [];
    // Not all at once: where the store answers late some pass by the fallback.
    await Promise.all(
      Array.from({ length: 6 }, async () => {
        for (let times = 0; times < 80; times += 1) answers.push((await check({ user_id: 'u1' })).allowed);
      }),
    );

    const text = await (await fetch(url('/metrics'))).text();
    for (const process of ['1', '2', '3']) expect(text).toMatch(new RegExp(`^sluice_snapshot_version\\{.*process="${process}".*\\} 3$`, 'm'));
    expect(text.match(/^# TYPE sluice_decisions_total /gm)).toHaveLength(1);
    expect(text.split('\n').filter((line) => line !== '' && !/^(#|sluice_process)/.test(line) && !/[{,]process="[123]"[,}]/.test(line))).toEqual([]);
    expect(text).toContain('sluice_processes{app="decision"} 3');
    const allowed = new Map<string | undefined, number>();
    let byFallback = 0;
    for (const [, source, by, count] of text.matchAll(/^sluice_decisions_total\{(?=.*rule="shared")(?=.*outcome="allowed")(?=.*source="(\w+)").*process="(\d)".*\} (\d+)$/gm)) {
      allowed.set(by, (allowed.get(by) ?? 0) + Number(count));
      if (source === 'fallback') byFallback += Number(count);
    }
    const admitted = answers.filter((each) => each).length;
    expect([...allowed.values()].reduce((sum, count) => sum + count, 0)).toBe(admitted);
    expect(admitted - byFallback).toBeLessThanOrEqual(400);
    expect(admitted).toBeGreaterThanOrEqual(392);
    // Whoever has time takes the next connection.
    expect(allowed.size).toBeGreaterThan(1);

    let [served, failed] = [0, 0];
    let isOver = false;
    const load = Array.from({ length: 8 }, async () => {
      while (!isOver) await check({ ip: '1.1.1.1' }).then(({ status }) => (status === 200 ? (served += 1) : (failed += 1)), () => (failed += 1));
    });
    await sleep(300);
    // It has rules before it says that it listens.
    await until(async () => pidsOf('edge-2').length === 1);
    killNow(pidsOf('edge-2')[0]);
    const atKill = served;
    await sleep(300);
    expect(served).toBeGreaterThan(atKill + 20);
    await until(async () => (await metric(/^sluice_process_restarts_total\{.*\} (\d+)$/m)) === '1' && pidsOf('edge-2').length === 2);
    await ready();
    await sleep(200);
    isOver = true;
    await Promise.all(load);
    // What the killed one had in its hands is lost, and nothing else.
    expect(failed).toBeLessThanOrEqual(16);
    expect(await metric(/^sluice_processes\{.*\} (\d+)$/m)).toBe('3');
  }, TIMEOUT_MS);

  it('R73 shares the port of gRPC, and each of them answers there', async () => {
    const grpcPort = await freePort();
    await start({ SLUICE_DECISION_PROCESSES: '2', SLUICE_NODE_ID: 'edge', SLUICE_DECISION_GRPC_PORT: `${grpcPort}` });
    await ready();
    const answeredBy = new Set<string | undefined>();
    for (let times = 0; times < 100 && answeredBy.size < 2; times += 1) {
      const clients = Array.from({ length: 4 }, () => grpcClient(grpcPort));
      const answers = await Promise.all(clients.map((client) => client.call(RLS, 'ShouldRateLimit', { domain: 'api', descriptors: [{ entries: [{ key: 'user_id', value: 'u2' }] }] })));
      expect(answers).toEqual(clients.map(() => expect.objectContaining({ overall_code: 1 })));
      for (const client of clients) client.close();
      const text = await (await fetch(url('/metrics'))).text();
      for (const [, by] of text.matchAll(/^sluice_grpc_call_duration_seconds_count\{(?=.*code="OK").*process="(\d)".*\} \d+$/gm)) answeredBy.add(by);
    }
    expect([...answeredBy].sort()).toEqual(['1', '2']);
  }, TIMEOUT_MS);

  it('R43 answers nobody with a process that has no rules yet, while the others have', async () => {
    await start({ SLUICE_DECISION_PROCESSES: '2', SLUICE_NODE_ID: 'edge', SLUICE_SNAPSHOT_POLL: '300ms' });
    await ready();
    const statuses = new Set<number>();
    let isOver = false;
    const load = Array.from({ length: 4 }, async () => {
      while (!isOver) await check({ ip: '1.1.1.1' }).then(({ status }) => statuses.add(status), () => undefined);
    });
    await until(async () => pidsOf('edge-2').length === 1);
    // The one that is new asks for its rules, and waits.
    plane.answer = (_request, response) => void setTimeout(() => response.writeHead(503).end(), 700);
    killNow(pidsOf('edge-2')[0]);
    await sleep(1_500);
    plane.answer = undefined;
    await until(async () => pidsOf('edge-2').length === 2);
    await ready();
    isOver = true;
    await Promise.all(load);
    expect([...statuses]).toEqual([200]);
  }, TIMEOUT_MS);

  it('R44 ends well on SIGTERM while it still waits for its first rules', async () => {
    plane.answer = () => undefined;
    await start({ SLUICE_DECISION_PROCESSES: '2' });
    await until(async () => plane.seen.length === 2);
    expect(await service.end('SIGTERM')).toBe(0);
  }, TIMEOUT_MS);

  it('R44 ends within 10 s on SIGTERM, all of it, with a client that hangs', async () => {
    await start({ SLUICE_DECISION_PROCESSES: '2', SLUICE_NODE_ID: 'edge' });
    await ready();
    await halfARequest(url('/v1/ratelimit:check'), {});
    const pidsNow = (): number[] => [...pidsOf('edge-1'), ...pidsOf('edge-2')];
    // The last of them has rules before it says that it listens.
    await until(async () => pidsNow().length === 2);
    const pids = pidsNow();
    const startedMs = Date.now();
    expect(await service.end('SIGTERM')).toBe(0);
    expect(Date.now() - startedMs).toBeLessThan(10_000);
    for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  }, TIMEOUT_MS);

  it('is not ready until all are, and says what is wrong with its configuration once', async () => {
    plane.answer = (_request, response) => response.writeHead(500).end();
    await start({ SLUICE_DECISION_PROCESSES: '2' });
    await until(async () => (await fetch(url('/readyz'))).status === 503);
    expect(await (await fetch(url('/readyz'))).json()).toMatchObject({ checks: { processes: { ok: false, detail: expect.stringContaining('0 of 1 other') } } });
    plane.answer = undefined;
    await ready();
    await service.end('SIGTERM');
    await start({ SLUICE_DECISION_PROCESSES: '2', SLUICE_DECISION_TLS_CERT: '/nowhere/a.crt', SLUICE_DECISION_TLS_KEY: '/nowhere/a.key' });
    expect(await service.ended).toBe(1);
    expect(service.output.match(/cannot be read/g)).toHaveLength(2);
  }, TIMEOUT_MS);

  describe('R43 as a sidecar', () => {
    it('starts from the rules on disk while the control plane is down, and answers over the Unix socket', async () => {
      const [socketPath, snapshotFile] = [join(dir, 'decision.sock'), join(dir, 'rules.json')];
      const env = { SLUICE_DECISION_SOCKET: socketPath, SLUICE_SNAPSHOT_FILE: snapshotFile, SLUICE_DECISION_TOKEN: 'decision-token', SLUICE_DECISION_PROCESSES: '2' };
      await start(env);
      await ready();
      await until(() => Promise.resolve(statSync(snapshotFile).size > 0));
      // As a machine goes down.
      killNow(service.pid);
      await service.ended;
      await plane.close();
      await start(env);
      await ready();
      const authorize = (): Promise<{ status: number | undefined; remaining: string | undefined }> =>
        new Promise((resolve, reject) => {
          const headers = { 'X-Original-URI': '/x', 'X-Original-Method': 'GET' };
          request({ socketPath, path: '/v1/authorize', headers, agent: false }, (response) => {
            response.resume();
            resolve({ status: response.statusCode, remaining: String(response.headers['x-ratelimit-remaining']) });
          })
            .once('error', reject)
            .end();
        });
      for (let times = 0; times < 4; times += 1) expect(await authorize()).toMatchObject({ status: 200, remaining: expect.stringMatching(/^99\d{4}$/) });
      expect(statSync(socketPath).mode & 0o777).toBe(0o660);
      // The port is there too, for those who show the token.
      expect((await fetch(url('/v1/authorize'))).status).toBe(401);
      expect(await service.end('SIGTERM')).toBe(0);
      expect(() => statSync(socketPath)).toThrow('ENOENT');
    }, TIMEOUT_MS);
  });
});
