import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '@sluice/platform';
import { freePort } from '@sluice/testkit';
import { type Stage, type StageOptions, startStage } from '../test/running-gateway.js';

describe('R43 a gateway that starts while the control plane is away', () => {
  let folder: string;
  let snapshotFile: string;
  let stages: Stage[];
  let lines: string[];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-gateway-'));
    snapshotFile = join(folder, 'snapshot.json');
    stages = [];
    lines = [];
  });
  afterEach(async () => {
    await Promise.all(stages.map((stage) => stage.close()));
    rmSync(folder, { recursive: true, force: true });
  });

  async function open(options: StageOptions = {}): Promise<Stage> {
    const logger = createLogger({ app: 'gateway', level: 'info', destination: { write: (line: string) => void lines.push(line) } });
    const stage = await startStage({ logger, ...options, config: { snapshotFile, ...options.config } });
    stages.push(stage);
    return stage;
  }
  const openAlone = async (over: StageOptions = {}): Promise<Stage> => open({ ...over, config: { adminUrl: `http://127.0.0.1:${await freePort()}`, ...over.config } });
  /** Gateway and control plane run, these keys are used, both stop. */
  async function before(...keys: string[]): Promise<void> {
    const stage = await open();
    for (const key of keys) await stage.ask('/hello', { key });
    await stages.pop()?.close();
    lines = [];
  }
  const readyz = async ({ gateway }: Stage): Promise<{ readonly status: number; readonly checks: Record<string, { ok: boolean; detail: string }> }> => {
    const response = await fetch(`${gateway.opsUrl}/readyz`);
    const { checks } = (await response.json()) as { checks: Record<string, { ok: boolean; detail: string }> };
    return { status: response.status, checks };
  };
  const warnings = (): string[] => lines.filter((line) => /"level":"(warn|error)"/.test(line));

  it('limits the keys that it knew, and answers 503 to those that it did not', async () => {
    await before('demo-free', 'gone');
    const stage = await openAlone();
    const statuses = [];
    for (let i = 0; i < 7; i += 1) statuses.push((await stage.ask('/hello')).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429]);
    expect(stage.upstream.seen[0]?.headers).toMatchObject({ 'sluice-key-id': 'k-free', 'sluice-tenant-id': 't1', 'sluice-plan': 'free' });
    for (const key of ['demo-pro', 'gone', 'nobody']) {
      const response = await stage.ask('/hello', { key });
      expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
    }
    expect(stage.upstream.seen).toHaveLength(5);
    const { status, checks } = await readyz(stage);
    expect([status, checks['keys']]).toEqual([200, { ok: true, detail: '1 known, 1 read from disk at the start' }]);
    expect(checks['rules']?.detail).toContain('from the copy on disk');
  });

  it('a key that was disabled while the gateway ran is not known to the next one', async () => {
    const stage = await open();
    expect((await stage.ask('/hello')).status).toBe(200);
    expect((await stage.ask('/hello', { key: 'demo-pro' })).status).toBe(200);
    stage.plane.keys.set('demo-free', { key_id: 'k-free', tenant_id: 't1', plan: 'free', disabled: true });
    await new Promise((resolve) => setTimeout(resolve, 250));
    expect((await stage.ask('/hello')).status).toBe(401);
    await stages.pop()?.close();
    const next = await openAlone();
    expect((await next.ask('/hello')).status).toBe(503);
    expect((await next.ask('/hello', { key: 'demo-pro' })).status).toBe(200);
  });

  it('is not ready on rules from disk without a known key, and is as soon as the control plane is back', async () => {
    await before();
    const port = await freePort();
    const stage = await open({ config: { adminUrl: `http://127.0.0.1:${port}` } });
    const { status, checks } = await readyz(stage);
    expect([status, checks['rules']?.ok, checks['keys']?.ok]).toEqual([503, true, false]);
    expect(checks['keys']?.detail).toContain('no caller can be named');
    const road = createServer((socket) => void socket.on('error', () => undefined).pipe(connect(Number(new URL(stage.plane.url).port), '127.0.0.1').on('error', () => undefined)).pipe(socket));
    await new Promise<void>((resolve) => road.listen(port, '127.0.0.1', resolve));
    for (let tries = 0; tries < 300 && (await readyz(stage)).status !== 200; tries += 1) await new Promise((resolve) => setTimeout(resolve, 10));
    expect((await readyz(stage)).status).toBe(200);
    expect((await stage.ask('/hello')).status).toBe(200);
    road.close();
  });

  it('is ready without a known key when the control plane answers with rules that are refused: it can be asked about keys', async () => {
    await before();
    const stage = await open({ rules: [{ rule_id: 'bad', version: 1, limit: -3, window_seconds: 60 }] });
    const { status, checks } = await readyz(stage);
    expect([status, checks['rules']?.detail]).toEqual([200, expect.stringMatching(/from the copy on disk.*refused the last snapshot/)]);
    const response = await stage.ask('/hello');
    expect([response.status, response.headers.get('x-ratelimit-limit')]).toEqual([200, '5']);
  });

  it('asks about a key that it has from disk when the control plane is there: one that was disabled meanwhile is refused', async () => {
    await before('demo-free', 'demo-pro');
    const stage = await open();
    stage.plane.keys.set('demo-free', { key_id: 'k-free', tenant_id: 't1', plan: 'free', disabled: true });
    await new Promise((resolve) => setTimeout(resolve, 250));
    expect((await stage.ask('/hello')).status).toBe(401);
    expect((await stage.ask('/hello', { key: 'demo-pro' })).status).toBe(200);
  });

  it('says what is wrong with files that are damaged, and does not speak of old rules that are not there', async () => {
    await before('demo-free');
    for (const file of [snapshotFile, `${snapshotFile}.keys`]) writeFileSync(file, readFileSync(file, 'utf8').slice(0, -30));
    const stage = await openAlone({ awaitReady: false });
    for (let tries = 0; tries < 300 && warnings().length < 3; tries += 1) await new Promise((resolve) => setTimeout(resolve, 10));
    const said = warnings().join('');
    expect(said).toContain('the copy of the known keys is of no use');
    expect(said).toContain('the copy of the rules is of no use; without the control plane there are no rules');
    expect(said).toContain('no answer about the rules; there are none yet');
    expect(said).not.toContain('old ones stay');
    expect(lines.filter((line) => line.includes('is of no use'))).toHaveLength(2);
    const { status, checks } = await readyz(stage);
    expect([status, checks['rules']]).toEqual([503, { ok: false, detail: expect.stringContaining(`the copy of the rules in ${snapshotFile} is of no use`) }]);
    expect((await stage.ask('/hello')).status).toBe(503);
  });

  it('holds neither keys nor tokens in its files', async () => {
    await before('demo-free', 'demo-pro');
    for (const file of [snapshotFile, `${snapshotFile}.keys`]) for (const secret of ['demo-free', 'demo-pro', 'node-token']) expect(readFileSync(file, 'utf8')).not.toContain(secret);
  });
});
