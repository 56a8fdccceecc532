import type { RuleIndex, Snapshot } from '@sluice/rules';
import { etagOf, settled, snapshotAt, startControlPlane } from '../test/control-plane.js';
import type { ControlPlane } from '../test/control-plane.js';
import { createSnapshotClient } from './snapshot-client.js';
import type { SnapshotClient } from './snapshot-client.js';
import type { SnapshotClientOptions } from './snapshot-client-options.js';

const FREE = { plan: 'free', key_id: 'k1' };
/** Long enough that no poll comes by itself. */
const NEVER_MS = 3_600_000;

describe('snapshot client on a real server', () => {
  let plane: ControlPlane;
  let client: SnapshotClient | undefined;
  let versions: number[];
  let refusals: string[];
  let current: RuleIndex | undefined;

  function start(over: Partial<SnapshotClientOptions> = {}): SnapshotClient {
    client = createSnapshotClient({
      url: plane.url,
      token: 'node-token',
      pollMs: 20,
      wakeSpreadMs: 0,
      timeoutMs: 300,
      onSnapshot: (index: RuleIndex, snapshot: Snapshot) => {
        current = index;
        versions.push(snapshot.version);
      },
      onRefused: (reason) => refusals.push(reason),
      ...over,
    });
    return client;
  }

  beforeEach(async () => {
    plane = await startControlPlane();
    versions = [];
    refusals = [];
    current = undefined;
  });
  afterEach(async () => {
    await client?.close();
    client = undefined;
    await plane.close();
  });

  describe('R54 polling', () => {
    it('brings the first snapshot, then asks with its tag and version and gets 304', async () => {
      await start({ url: `${plane.url}/` }).start();
      expect(versions).toEqual([1]);
      await settled(() => plane.seen.length >= 3);
      expect(plane.seen[0]).toMatchObject({ url: '/v1/snapshot', ifNoneMatch: undefined, authorization: 'Bearer node-token' });
      expect(plane.seen[2]).toMatchObject({ url: '/v1/snapshot?since=1', ifNoneMatch: '"v1"' });
      expect(versions).toEqual([1]);
      expect(client?.status()).toMatchObject({ version: 1, lastError: undefined, refusal: undefined, refused: 0, unauthorized: false });
    });

    it('takes changes that add up to the checksum', async () => {
      await start().start();
      plane.delta = { since: 1, version: 2, rules: [{ ...snapshotAt(2).rules[0] }, { ...snapshotAt(2).rules[1] }], deleted_rules: [], plans: [], deleted_plans: [], overrides: [], deleted_overrides: [] };
      plane.snapshot = snapshotAt(2);
      await settled(() => versions.length === 2);
      expect(client?.status().polls).toMatchObject({ whole: 1, delta: 1 });
      expect(current?.match(FREE, 0).map(({ quota }) => quota.limit)).toEqual([2, 2]);
    });

    it('falls back to the whole for changes that do not fit, in the same poll', async () => {
      await start().start();
      const empty = { rules: [], deleted_rules: [], plans: [], deleted_plans: [], overrides: [], deleted_overrides: [] };
      for (const [version, delta] of [
        [2, { since: 1, version: 2, ...empty }],
        [3, { since: 1, version: 3, ...empty }],
        [4, { since: 3, version: 4, ...empty, rules: [{ rule_id: 'half' }] }],
        [5, { since: 'x' }],
      ] as const) {
        plane.delta = delta;
        plane.snapshot = snapshotAt(version);
        await settled(() => versions.at(-1) === version);
      }
      expect(client?.status()).toMatchObject({ refused: 0, polls: { whole: 5, delta: 0 } });
    });

    it('stops asking for changes when they come without a checksum', async () => {
      await start().start();
      plane.sendsChecksum = false;
      plane.delta = { since: 1, version: 2, rules: [], deleted_rules: [], plans: [], deleted_plans: [], overrides: [], deleted_overrides: [] };
      plane.snapshot = snapshotAt(2);
      await settled(() => versions.at(-1) === 2);
      const asked = plane.seen.length;
      await settled(() => plane.seen.length > asked + 1);
      expect(plane.seen.at(-1)?.url).toBe('/v1/snapshot');
    });

    it('known failure 77: neither 200 for what it has, nor 304 for another tag, misleads it', async () => {
      await start().start();
      plane.answer = (_request, response) => response.setHeader('ETag', etagOf(plane.snapshot)).end(JSON.stringify(plane.snapshot));
      const before = plane.seen.length;
      await settled(() => plane.seen.length > before + 2);
      expect(versions).toEqual([1]);
      plane.snapshot = snapshotAt(2);
      plane.answer = (request, response) => {
        response.setHeader('ETag', etagOf(plane.snapshot));
        if (request.headers['if-none-match'] !== undefined) response.writeHead(304).end();
        else response.end(JSON.stringify(plane.snapshot));
      };
      await settled(() => versions.at(-1) === 2);
    });

    it('asks one at a time, however slow the answer is', async () => {
      let open = 0;
      let most = 0;
      plane.answer = (_request, response) => {
        most = Math.max(most, ++open);
        setTimeout(() => {
          open--;
          response.end(JSON.stringify(plane.snapshot));
        }, 50);
      };
      void start().start();
      for (let version = 2; version < 60; version++) {
        client?.wake(version);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      expect(plane.seen.length).toBeGreaterThan(2);
      expect(most).toBe(1);
    });
  });

  describe('R56 a snapshot is whole or not there', () => {
    it('a reader during 1,000 swaps sees all of the old or all of the new', async () => {
      await start({ pollMs: NEVER_MS }).start();
      let reads = 0;
      let mixed = 0;
      const seen = new Set<number>();
      let reading = true;
      const reader = (async () => {
        while (reading) {
          for (let i = 0; i < 50; i++) {
            const index = current;
            const limits = index?.match(FREE, 0).map(({ quota }) => quota.limit) ?? [];
            if (limits.length !== 2 || limits[0] !== index?.version || limits[1] !== index?.version) mixed++;
            seen.add(index?.version ?? 0);
            reads++;
          }
          await new Promise((resolve) => setImmediate(resolve));
        }
      })();
      for (let version = 2; version <= 1001; version++) {
        plane.snapshot = snapshotAt(version);
        client?.wake(version);
        while (current?.version !== version) await new Promise((resolve) => setImmediate(resolve));
      }
      reading = false;
      await reader;
      expect(versions).toHaveLength(1001);
      expect(mixed).toBe(0);
      expect(reads).toBeGreaterThan(10_000);
      expect(seen.size).toBeGreaterThan(900);
    }, 30_000);

    it.each([
      ['a rule with a limit of 0', { ...snapshotAt(2), rules: [{ ...snapshotAt(2).rules[0], limit: 0 }] }, '/rules/0/limit'],
      ['an unknown plan', { ...snapshotAt(2), plans: [] }, '/rules/0/plan'],
      ['no object', [], 'must be an object'],
      ['nothing', null, 'must be an object'],
      ['an unknown field', { ...snapshotAt(2), extra: 1 }, '/extra'],
    ])('refuses %s, keeps the old one and says so', async (_name, bad, expected) => {
      await start().start();
      plane.answer = (_request, response) => response.setHeader('ETag', '"bad"').end(JSON.stringify(bad));
      await settled(() => refusals.length > 0);
      expect(refusals[0]).toContain(expected);
      expect(current?.version).toBe(1);
      expect(client?.status()).toMatchObject({ version: 1, refusal: expect.stringContaining(expected) });
      plane.answer = undefined;
      plane.snapshot = snapshotAt(2);
      await settled(() => current?.version === 2);
      expect(client?.status().refusal).toBeUndefined();
    });

    it('refuses what the node does not take', async () => {
      await start({
        onSnapshot: (index) => {
          if (index.version === 2) throw new Error('no room');
          current = index;
        },
      }).start();
      plane.snapshot = snapshotAt(2);
      await settled(() => refusals.length > 0);
      expect(client?.status()).toMatchObject({ version: 1, refusal: 'the node did not take it: no room' });
      plane.snapshot = snapshotAt(3);
      await settled(() => current?.version === 3);
    });

    it('a version does not go back within an epoch, and does in a new one: the database was restored', async () => {
      plane.snapshot = snapshotAt(9);
      plane.epoch = 'a';
      await start().start();
      plane.snapshot = snapshotAt(4);
      await settled(() => refusals.length > 0);
      expect(refusals[0]).toBe('version went back from 9 to 4');
      expect(current?.version).toBe(9);
      plane.epoch = 'b';
      await settled(() => current?.version === 4);
    });
  });

  describe('R55 the push', () => {
    it('brings a new version at once, and a repeated, late, reordered or malformed one asks for nothing', async () => {
      await start({ pollMs: NEVER_MS }).start();
      for (const version of [1, 0, -1, Number.NaN, 1.5, Number.POSITIVE_INFINITY]) client?.wake(version);
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(plane.seen).toHaveLength(1);
      plane.snapshot = snapshotAt(5);
      for (const version of [3, 5, 4, 5, 2, 3]) client?.wake(version);
      await settled(() => versions.at(-1) === 5);
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(plane.seen).toHaveLength(2);
    });

    it('is not lost to an answer that was already under way', async () => {
      await start({ pollMs: NEVER_MS }).start();
      let late: (() => void) | undefined;
      plane.answer = (_request, response) => {
        const old = JSON.stringify(snapshotAt(2));
        late = () => response.end(old);
      };
      client?.wake(2);
      await settled(() => late !== undefined);
      plane.answer = undefined;
      plane.snapshot = snapshotAt(3);
      client?.wake(3);
      late?.();
      await settled(() => versions.at(-1) === 3, 2000);
    });

    it('asks on for a version that the control plane does not show yet, without conditions, and gives up in the end', async () => {
      await start({ pollMs: NEVER_MS }).start();
      client?.wake(2);
      await settled(() => plane.seen.length >= 3);
      expect(plane.seen[2]?.ifNoneMatch).toBeUndefined();
      plane.snapshot = snapshotAt(2);
      await settled(() => versions.at(-1) === 2);
      client?.wake(1_000_000);
      await settled(() => plane.seen.length >= 11, 10_000);
      const asked = plane.seen.length;
      await new Promise((resolve) => setTimeout(resolve, 500));
      expect(plane.seen.length).toBe(asked);
    }, 15_000);
  });

  describe('R43 a control plane that fails', () => {
    it('is asked on in the background until there is a first snapshot', async () => {
      plane.answer = (_request, response) => response.writeHead(500).end();
      const started = start().start();
      await settled(() => (client?.status().polls.failed ?? 0) >= 2);
      expect(client?.status()).toMatchObject({ version: undefined, lastError: 'the control plane answered 500' });
      plane.answer = undefined;
      await started;
      expect(versions).toEqual([1]);
      expect(client?.status().lastError).toBeUndefined();
    });

    it.each([
      ['answers late', 'did not answer in time', () => undefined],
      ['cuts the body', 'terminated', (response: import('node:http').ServerResponse) => response.writeHead(200, { 'Content-Length': '999' }).write('{', () => response.destroy())],
      ['sends no JSON', 'JSON', (response: import('node:http').ServerResponse) => response.end('<html>')],
      ['sends broken UTF-8', 'utf-8', (response: import('node:http').ServerResponse) => response.end(Buffer.from([0x22, 0xff, 0x22]))],
      ['sends too much', 'larger than 2000 bytes', (response: import('node:http').ServerResponse) => response.end('x'.repeat(5000))],
      ['redirects', 'redirect', (response: import('node:http').ServerResponse) => response.writeHead(302, { Location: '/elsewhere' }).end()],
    ])('%s: the old rules stay and the fault is told', async (_name, expected, misbehave) => {
      await start({ maxBytes: 2000 }).start();
      plane.answer = (_request, response) => void misbehave(response);
      await settled(() => client?.status().lastError !== undefined);
      expect(client?.status().lastError).toContain(expected);
      expect(client?.status()).toMatchObject({ version: 1, refused: 0 });
      plane.answer = undefined;
      await settled(() => client?.status().lastError === undefined);
    });

    it.each([401, 403])('slows down and alarms on %d', async (status) => {
      plane.answer = (_request, response) => response.writeHead(status).end();
      const errors: string[] = [];
      void start({ pollMs: 10, onError: (reason) => errors.push(reason) }).start();
      await settled(() => errors.length === 1);
      client?.wake(7);
      await new Promise((resolve) => setTimeout(resolve, 300));
      expect(plane.seen).toHaveLength(1);
      expect(client?.status()).toMatchObject({ unauthorized: true, lastError: `the control plane answered ${status}` });
    });
  });

  describe('R44 close', () => {
    it('ends a request under way and hands nothing over after it', async () => {
      plane.answer = () => undefined;
      const started = start({ timeoutMs: 60_000 }).start();
      await settled(() => plane.seen.length === 1);
      const before = performance.now();
      await client?.close();
      await started;
      expect(performance.now() - before).toBeLessThan(1000);
      client?.wake(5);
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect(plane.seen).toHaveLength(1);
      expect(versions).toEqual([]);
    });
  });
});
