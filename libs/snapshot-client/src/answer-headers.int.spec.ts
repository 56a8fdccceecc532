import { gzipSync } from 'node:zlib';
import type { Override, RuleIndex, SnapshotDelta } from '@sluice/rules';
import { type ControlPlane, etagOf, settled, snapshotAt, startControlPlane } from '../test/control-plane.js';
import type { AppliedSnapshot, SnapshotClientOptions } from './snapshot-client-options.js';
import { createSnapshotClient, type SnapshotClient } from './snapshot-client.js';

describe('what an answer says beside its body', () => {
  let plane: ControlPlane;
  let client: SnapshotClient;
  let applied: AppliedSnapshot[];
  let current: RuleIndex | undefined;

  beforeEach(async () => {
    plane = await startControlPlane();
    applied = [];
  });
  afterEach(async () => {
    await client.close();
    await plane.close();
  });

  function start(over: Partial<SnapshotClientOptions> = {}): Promise<void> {
    client = createSnapshotClient({ url: plane.url, pollMs: 20, wakeSpreadMs: 0, onSnapshot: (index) => (current = index), onApplied: (one) => applied.push(one), ...over });
    return client.start();
  }

  describe('R55 how long a version took to get here', () => {
    it('is its age at the answer and the time from there to the swap', async () => {
      let takesMs = 0;
      plane.extraHeaders = { 'Sluice-Published-Age': '1500' };
      await start({
        onSnapshot: () => {
          for (const endMs = performance.now() + takesMs; performance.now() < endMs; );
        },
      });
      takesMs = 80;
      plane.snapshot = snapshotAt(4);
      await settled(() => applied.length === 2);
      expect(applied).toEqual([
        { version: 1, previousVersion: undefined, publishedAgeMs: expect.any(Number) },
        { version: 4, previousVersion: 1, publishedAgeMs: expect.any(Number) },
      ]);
      expect(applied[1]?.publishedAgeMs).toBeGreaterThanOrEqual(1580);
      expect(applied[1]?.publishedAgeMs).toBeLessThan(3000);
    });

    it.each([['absent', {}], ['no integer', { 'Sluice-Published-Age': '-1' }], ['no number', { 'Sluice-Published-Age': 'soon' }]])('is unknown when it is %s', async (_what, headers) => {
      plane.extraHeaders = headers;
      await start();
      expect(applied).toEqual([{ version: 1, previousVersion: undefined, publishedAgeMs: undefined }]);
    });

    it('is not told of what was refused', async () => {
      await start();
      plane.answer = (_request, response) => response.setHeader('ETag', '"bad"').end('{"version":2}');
      await settled(() => client.status().refused > 0);
      expect(applied).toHaveLength(1);
    });
  });

  describe('R43 an answer that the database does not stand behind', () => {
    it('confirms nothing, and its rules are taken', async () => {
      await start();
      plane.extraHeaders = { 'Sluice-Stale': '12' };
      await settled(() => client.status().stale);
      const before = client.status().polls.unchanged;
      await settled(() => client.status().polls.unchanged >= before + 4);
      // Four polls of 16 to 20 ms that would each have made it younger.
      expect(client.status().ageMs).toBeGreaterThanOrEqual(48);
      expect(client.status().ageMs).toBeLessThan(10_000);
      plane.snapshot = snapshotAt(2);
      await settled(() => client.status().version === 2);
      expect(client.status()).toMatchObject({ stale: true, refusal: undefined, lastError: undefined });
      expect(client.status().ageMs).toBeGreaterThanOrEqual(48);
      plane.extraHeaders = {};
      await settled(() => !client.status().stale);
      expect(client.status().ageMs).toBeLessThan(40);
    });

    it('tells the age of the first rules of a node', async () => {
      plane.extraHeaders = { 'Sluice-Stale': '12' };
      await start({ pollMs: 3_600_000 });
      expect(client.status().ageMs).toBeGreaterThanOrEqual(12_000);
      expect(client.status().ageMs).toBeLessThan(14_000);
    });
  });

  describe('R54 compressed bodies', () => {
    it('are taken, and asked for', async () => {
      let accepted: string | undefined;
      plane.answer = (request, response) => {
        accepted = String(request.headers['accept-encoding']);
        response.setHeader('Content-Encoding', 'gzip').setHeader('ETag', etagOf(plane.snapshot)).end(gzipSync(JSON.stringify(plane.snapshot)));
      };
      await start();
      expect(accepted).toContain('gzip');
      expect(client.status().version).toBe(1);
    });

    it('are bounded by what they become, without reading on', async () => {
      const bomb = gzipSync(Buffer.alloc(200 * 1024 * 1024, 0x20));
      plane.answer = (_request, response) => response.setHeader('Content-Encoding', 'gzip').end(bomb);
      const before = process.memoryUsage().rss;
      void start({ maxBytes: 1024 * 1024, timeoutMs: 10_000 });
      await settled(() => client.status().lastError !== undefined);
      expect(client.status().lastError).toBe('snapshot is larger than 1048576 bytes');
      expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024);
    });
  });

  describe('R56 the checksum of a whole', () => {
    it('is compared: another one is no reason to take it', async () => {
      await start();
      plane.sendsChecksum = false;
      plane.extraHeaders = { 'Sluice-Checksum': 'x'.repeat(43) };
      plane.snapshot = snapshotAt(2);
      await settled(() => client.status().refused > 0);
      expect(client.status()).toMatchObject({ version: 1, refusal: 'the snapshot does not have its checksum' });
      plane.sendsChecksum = true;
      await settled(() => client.status().version === 2);
      expect(client.status().refusal).toBeUndefined();
    });

    it('may be absent', async () => {
      plane.sendsChecksum = false;
      await start();
      expect(client.status()).toMatchObject({ version: 1, refused: 0 });
    });
  });

  describe('R54 changes of overrides', () => {
    const override = (override_id: string, key_id: string, limit: number): Override => ({ override_id, rule_id: 'one', key_id, limit, expires_at: '2035-01-01T00:00:00Z' });
    const nothing: SnapshotDelta = { since: 1, version: 2, rules: [], deleted_rules: [], plans: [], deleted_plans: [], overrides: [], deleted_overrides: [] };
    const limitsOf = (key_id: string): number[] => current?.match({ plan: 'free', key_id }, 0).map(({ quota }) => quota.limit) ?? [];

    beforeEach(async () => {
      plane.snapshot = { ...snapshotAt(1), overrides: [override('o1', 'k1', 50), override('o2', 'k2', 60)] };
      await start();
      expect([limitsOf('k1'), limitsOf('k2'), limitsOf('k3')]).toEqual([[50, 1], [60, 1], [1, 1]]);
    });

    it('are taken: changed, new and deleted ones', async () => {
      plane.delta = { ...nothing, overrides: [override('o1', 'k1', 55), override('o3', 'k3', 70)], deleted_overrides: ['o2'] };
      plane.snapshot = { ...snapshotAt(1), version: 2, overrides: [override('o1', 'k1', 55), override('o3', 'k3', 70)] };
      await settled(() => client.status().version === 2);
      expect([limitsOf('k1'), limitsOf('k2'), limitsOf('k3')]).toEqual([[55, 1], [1, 1], [70, 1]]);
      expect(client.status().polls).toMatchObject({ whole: 1, delta: 1, unfit: 0 });
    });

    it('with a wrong sum are left for the whole, which is counted', async () => {
      plane.delta = { ...nothing, deleted_overrides: ['o2'] };
      plane.snapshot = { ...snapshotAt(1), version: 2, overrides: [override('o1', 'k1', 51)] };
      await settled(() => client.status().version === 2);
      expect([limitsOf('k1'), limitsOf('k2')]).toEqual([[51, 1], [1, 1]]);
      expect(client.status()).toMatchObject({ refused: 0, polls: { whole: 2, delta: 0, unfit: 1 } });
    });
  });
});
