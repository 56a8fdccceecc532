import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { snapshotChecksum } from '@sluice/rules';
import { settled } from '../../../../libs/snapshot-client/test/control-plane.js';
import { FREE_RULES, snapshotOf, startStage, type Stage } from '../../test/running-gateway.js';

const RECORD = { key_id: 'k-free', tenant_id: 't1', plan: 'free' };

describe('R50 R55 a key that is disabled while the control plane answers late', () => {
  let stage: Stage;
  const held: ServerResponse[] = [];

  beforeEach(async () => {
    held.length = 0;
    stage = await startStage({ rules: [{ ...FREE_RULES[0], rule_id: 'wide', version: 1, limit: 1_000, window_seconds: 60 }], config: { keyTtlMs: 3_600_000, pollMs: 3_600_000 } });
    expect((await stage.ask('/hello')).status).toBe(200);
    const { plane } = stage;
    plane.answer = ({ url = '' }, response) => {
      if (url === '/v1/keys:lookup') held.push(response);
      else response.writeHead(200, { ETag: `"v${plane.snapshot.version}"`, 'Sluice-Checksum': snapshotChecksum(plane.snapshot) }).end(JSON.stringify(plane.snapshot));
    };
  });
  afterEach(() => stage.close());

  async function push(version: number): Promise<void> {
    const { plane, bus, gateway } = stage;
    plane.snapshot = snapshotOf(version, plane.snapshot.rules);
    await bus.publish('sluice.config.v1', '', JSON.stringify({ schema_version: 1, event_id: `e${version}`, version }));
    const isInForce = async (): Promise<boolean> => new RegExp(`^sluice_snapshot_version\\S* ${version}$`, 'm').test(await (await fetch(`${gateway.opsUrl}/metrics`)).text());
    for (const endMs = performance.now() + 5_000; !(await isInForce()); await sleep(10)) expect(performance.now()).toBeLessThan(endMs);
  }
  const answer = (at: number, disabled: boolean): unknown => held[at]?.writableEnded === false && held[at].end(JSON.stringify({ ...RECORD, disabled }));

  it('passes during the look-up that its first request after the push asks, then stops, whatever an older one says', async () => {
    const { ask } = stage;
    await push(2);
    expect((await ask('/hello')).status).toBe(200);
    await settled(() => held.length === 1);
    // Disabled, after the database has answered that question.
    await push(3);
    answer(0, false);
    await sleep(100);
    for (let times = 0; times < 3; times += 1) expect((await ask('/hello')).status).toBe(200);
    await settled(() => held.length >= 2);
    for (const endMs = performance.now() + 3_000; (await ask('/hello')).status !== 401; await sleep(10)) {
      for (let at = 1; at < held.length; at += 1) answer(at, true);
      expect(performance.now()).toBeLessThan(endMs);
    }
  });
});
