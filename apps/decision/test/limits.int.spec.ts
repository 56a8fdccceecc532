import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { memoryStore, systemClock } from '@sluice/limiter';
import { createLogger, InProcessBus } from '@sluice/platform';
import type { Rule } from '@sluice/rules';
import { createDecision } from '../src/create-decision.js';
import { ask, askJson, checkOf } from './asking.js';
import { BARE_CONFIG, type Stage, startStage } from './running-decision.js';

const RULES: readonly Rule[] = [
  { rule_id: 'by-key', version: 1, plan: 'free', limit: 5, window_seconds: 3600 },
  { rule_id: 'by-address', version: 1, count_by: ['ip'], policy: 'address', limit: 9, window_seconds: 3600 },
];

async function scopes(url: string, headers: Readonly<Record<string, string>> = {}): Promise<unknown> {
  const { status, body } = await ask(`${url}/v1/limits`, { headers: { 'X-Api-Key': 'demo-free', ...headers } });
  expect(status).toBe(200);
  return (body['limits'] as { scope: string; remaining: number }[]).map(({ scope, remaining }) => `${scope} ${remaining}`).sort();
}

describe('R71 limits that are counted by address', () => {
  let stage: Stage;
  afterEach(() => stage.close());
  const spend = (ip: string): Promise<unknown> => askJson(`${stage.decision.url}/v1/ratelimit:check`, checkOf({ ip, plan: 'free', key_id: 'k1' }));

  it("are named to a caller by its key, by the connection's peer", async () => {
    stage = await startStage({ rules: RULES });
    await spend('127.0.0.1');
    expect(await scopes(stage.decision.url)).toEqual(['by-address 8', 'by-key 4']);
  });

  it('R77 by what a trusted proxy says, and never by what anybody else does', async () => {
    stage = await startStage({ rules: RULES });
    await spend('203.0.113.9');
    expect(await scopes(stage.decision.url, { 'X-Forwarded-For': '203.0.113.9' })).toEqual(['by-address 9', 'by-key 4']);
    await stage.close();
    stage = await startStage({ rules: RULES, config: { trustedProxies: { hops: 1 } } });
    await spend('203.0.113.9');
    expect(await scopes(stage.decision.url, { 'X-Forwarded-For': '198.51.100.1, 203.0.113.9' })).toEqual(['by-address 8', 'by-key 4']);
  });
});

describe('R43 GET /v1/limits after a start without the control plane', () => {
  it('knows the keys that were known before, and is ready without any', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sluice-decision-'));
    const snapshotFile = join(folder, 'rules.json');
    const stage = await startStage({ rules: RULES, config: { snapshotFile } });
    try {
      expect(await scopes(stage.decision.url)).toEqual(['by-address 9', 'by-key 5']);
    } finally {
      await stage.close();
    }
    const logger = createLogger({ app: 'decision', level: 'silent' });
    const bus = new InProcessBus(logger);
    const start = async (): Promise<Awaited<ReturnType<typeof createDecision>>> => {
      const decision = await createDecision({ config: { ...BARE_CONFIG, adminUrl: 'http://127.0.0.1:1', snapshotFile }, store: memoryStore(systemClock()), bus, logger });
      await decision.ready;
      return decision;
    };
    let alone = await start();
    try {
      expect(await scopes(alone.url)).toEqual(['by-address 9', 'by-key 5']);
      expect((await ask(`${alone.url}/v1/limits`, { headers: { 'X-Api-Key': 'other-free' } })).status).toBe(503);
      await alone.close();
      await rm(`${snapshotFile}.keys`);
      alone = await start();
      expect((await ask(`${alone.url}/readyz`)).status).toBe(200);
      expect((await askJson(`${alone.url}/v1/ratelimit:check`, checkOf({ plan: 'free', key_id: 'k1' }))).status).toBe(200);
    } finally {
      await alone.close();
      await bus.close();
      await rm(folder, { recursive: true });
    }
  });
});
