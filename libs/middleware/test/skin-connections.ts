import { spawnSync } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Decision } from '@sluice/limiter';
import type { SkinWarning } from '../src/skin/warnings.js';
import { allowed, scriptedDecider } from './scripted-decider.js';
import { limiterWith, type SkinHarness, type TableOptions } from './skin-harness.js';
import { skinStage } from './skin-stage.js';

/** The part of the contract that depends on how a request ends, and on what it came over. */
export function skinConnections(harness: SkinHarness): void {
  const stage = skinStage(harness);
  const { start } = stage;

  it('R9 gives back what failed, once, when the answer was sent', async () => {
    const limiter = limiterWith({ limit: 2 });
    const url = await start({ limiter, refundWhen: (status) => status >= 500 });
    for (let i = 0; i < 5; i += 1) expect((await fetch(`${url}/fails`)).status).toBe(503);
    await until(async () => (await limiter.peek({ ip: '127.0.0.1' })).deciding?.remaining === 2);
    for (let i = 0; i < 2; i += 1) expect((await fetch(`${url}/items/7`)).status).toBe(200);
    expect((await fetch(`${url}/items/7`)).status).toBe(429);
  });

  it('gives nothing back to who hangs up before the answer', async () => {
    const limiter = scriptedDecider(allowed);
    const url = await start({ limiter, refundWhen: () => true }, { slowMs: 600 });
    await hangUp(`${url}/slow`, () => stage.served.length === 1);
    await sleep(800);
    expect(limiter.refunded).toEqual([]);
    await fetch(`${url}/items/7`);
    await until(() => limiter.refunded.length === 1);
    expect(limiter.calls.map(({ options }) => options)).toEqual([{ refundable: true }, { refundable: true }]);
  });

  it('R2 holds a shaped request back for its delay', async () => {
    const url = await start({ limiter: scriptedDecider({ ...allowed, delayMs: 120 }) });
    const startedMs = performance.now();
    expect((await fetch(`${url}/items/7`)).status).toBe(200);
    expect(performance.now() - startedMs).toBeGreaterThanOrEqual(119);
  });

  it('R2 does not serve a client that hung up while it was held back', async () => {
    const limiter = scriptedDecider({ ...allowed, delayMs: 600 });
    const url = await start({ limiter });
    await hangUp(`${url}/items/7`, () => limiter.calls.length === 1);
    await sleep(800);
    expect(stage.served).toEqual([]);
  });

  it('does not serve a client that hung up while the decision was under way', async () => {
    let decide = (_decision: Decision): void => undefined;
    const limiter = scriptedDecider(new Promise<Decision>((resolve) => (decide = resolve)), allowed);
    const url = await start({ limiter });
    await hangUp(`${url}/items/7`, () => limiter.calls.length === 1);
    await sleep(50);
    decide(allowed);
    await sleep(50);
    expect(stage.served).toEqual([]);
    expect((await fetch(`${url}/items/7`)).status).toBe(200);
  });

  it('R77 neither counts nor serves who was gone before the request was read', async () => {
    const limiter = scriptedDecider(allowed);
    const { hostname, port } = new URL(await start({ limiter }));
    // Our own event loop stands still meanwhile.
    const { status } = spawnSync(process.execPath, ['-e', SEND_AND_RESET, hostname, port]);
    expect(status).toBe(0);
    await sleep(100);
    expect([stage.served, limiter.calls]).toEqual([[], []]);
    expect((await fetch(`http://${hostname}:${port}/items/7`)).status).toBe(200);
  });

  it('R77 known failure 71: reads X-Forwarded-For of an own proxy at the other end of a Unix socket, and counts as the loopback who sends none', async () => {
    const addresses = async (trust: TableOptions['trustedProxies'], forwarded?: string): Promise<unknown[]> => {
      const limiter = scriptedDecider(allowed);
      const told: SkinWarning[] = [];
      const socketPath = join(await mkdtemp(join(tmpdir(), 'sluice-skin-')), 's');
      await start({ limiter, trustedProxies: trust, onWarning: (warning) => told.push(warning) }, { socketPath });
      const sent = httpRequest({ socketPath, path: '/items/7', agent: false, headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded } }).end();
      await new Promise((resolve, reject) => sent.on('response', (response) => response.resume().on('end', resolve)).on('error', reject));
      await stage.close();
      return [limiter.calls[0]?.attributes.ip, ...told.map(({ code }) => code)];
    };
    expect(await addresses({ hops: 1 }, '6.6.6.6, 9.9.9.9')).toEqual(['9.9.9.9']);
    expect(await addresses({ hops: 2 }, '6.6.6.6, 9.9.9.9')).toEqual(['6.6.6.6']);
    expect(await addresses({ cidrs: ['127.0.0.0/8'] }, '6.6.6.6, 9.9.9.9')).toEqual(['9.9.9.9']);
    expect(await addresses({ cidrs: ['10.0.0.0/8'] }, '9.9.9.9')).toEqual(['127.0.0.1', 'SLUICE_ONE_ADDRESS']);
    expect(await addresses({ hops: 1 })).toEqual(['127.0.0.1', 'SLUICE_ONE_ADDRESS']);
    expect(await addresses('none', '9.9.9.9')).toEqual(['127.0.0.1', 'SLUICE_UNTRUSTED_FORWARDED_FOR']);
    expect(await addresses('none')).toEqual(['127.0.0.1', 'SLUICE_ONE_ADDRESS']);
  });
}

/** Of another process: a client that sends a request and resets the connection at once. */
const SEND_AND_RESET = `
const socket = require('node:net').connect(Number(process.argv[2]), process.argv[1], () => socket.write('GET /items/7 HTTP/1.1\\r\\nHost: h\\r\\n\\r\\n', () => socket.resetAndDestroy()));
`;

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const endMs = performance.now() + 5_000;
  while (!(await condition())) {
    if (performance.now() > endMs) throw new Error(`not so in time: ${condition.toString()}`);
    await sleep(5);
  }
}

/** Sends a request and cuts the connection when `when` holds. */
async function hangUp(url: string, when: () => boolean): Promise<void> {
  const sent = httpRequest(url, { agent: false });
  sent.on('error', () => undefined);
  sent.end();
  await until(when);
  sent.destroy();
}
