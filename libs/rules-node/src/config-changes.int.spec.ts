import { setTimeout as sleep } from 'node:timers/promises';
import { NestFactory } from '@nestjs/core';
import type { MicroserviceOptions } from '@nestjs/microservices';
import { encodeConfigChanged, TOPICS } from '@sluice/events';
import { createLogger, EventBusServer, InProcessBus } from '@sluice/platform';
import { createSnapshotClient, type SnapshotClient } from '@sluice/snapshot-client';
import { type ControlPlane, settled, snapshotAt, startControlPlane } from '../../snapshot-client/test/control-plane.js';
import { ConfigChangesModule } from './config-changes.module.js';

describe('R55 a node hears the push', () => {
  let plane: ControlPlane;
  let bus: InProcessBus;
  let node: SnapshotClient;
  let app: { close(): Promise<void> };
  let applied: number[];

  beforeEach(async () => {
    plane = await startControlPlane();
    bus = new InProcessBus(createLogger({ app: 'test', level: 'fatal' }));
    applied = [];
    // So that it asks at its start and when it is woken, and never else.
    node = createSnapshotClient({ url: plane.url, pollMs: 3_600_000, onSnapshot: ({ version }) => void applied.push(version) });
    await node.start();
    const service = await NestFactory.createMicroservice<MicroserviceOptions>(ConfigChangesModule.register(node), { strategy: new EventBusServer(bus), logger: false });
    await service.listen();
    app = service;
  });
  afterEach(async () => {
    await Promise.all([app.close(), node.close()]);
    await Promise.all([bus.close(), plane.close()]);
  });

  const push = (version: number): Promise<unknown> => bus.publish(TOPICS.config, 'config', encodeConfigChanged({ schema_version: 1, event_id: `e${version}`, version }));
  const requests = (): number => plane.seen.length;
  /** Time for a poll that should not be. */
  const quiet = (): Promise<void> => sleep(300);

  it.each([
    ['once', [5]],
    ['three times', [5, 5, 5]],
    ['the newest first', [5, 4, 3, 2]],
    ['the newest last', [2, 3, 4, 5]],
    ['in disorder and again', [3, 5, 2, 4, 5, 3]],
    ['without the newest', [4, 2]],
  ])('%s: one poll, and the rules as they are now', async (_how, versions) => {
    plane.snapshot = snapshotAt(5);
    for (const version of versions) await push(version);
    await settled(() => applied.at(-1) === 5);
    await quiet();
    expect([applied, requests()]).toEqual([[1, 5], 2]);
  });

  it('news of what it has already costs nothing', async () => {
    plane.snapshot = snapshotAt(5);
    await push(5);
    await settled(() => applied.at(-1) === 5);
    for (const version of [5, 4, 1]) await push(version);
    await quiet();
    expect([applied, requests()]).toEqual([[1, 5], 2]);
  });

  it('a version that the replica which it asks does not have yet: it asks again until it has', async () => {
    await push(2);
    await settled(() => requests() >= 4);
    expect(applied).toEqual([1]);
    plane.snapshot = snapshotAt(2);
    await settled(() => applied.at(-1) === 2);
    const before = requests();
    await quiet();
    expect([applied, requests()]).toEqual([[1, 2], before]);
  });

  it('a lost push: the next one makes up for it', async () => {
    plane.snapshot = snapshotAt(2);
    await quiet();
    expect(applied).toEqual([1]);
    plane.snapshot = snapshotAt(3);
    await push(3);
    await settled(() => applied.at(-1) === 3);
  });

  it('what is no such event is counted as failed and wakes nobody; the next event is heard', async () => {
    const garbage = [
      '',
      'no json',
      'null',
      '[7]',
      '{"version":2}',
      '{"schema_version":1,"event_id":"e","version":"2"}',
      '{"schema_version":1,"event_id":"e","version":-2}',
      '{"schema_version":1,"event_id":"e","version":1e300}',
      '{"schema_version":7,"event_id":"e","version":2}',
      '\u0000\uffff',
    ];
    plane.snapshot = snapshotAt(2);
    for (const text of garbage) await bus.publish(TOPICS.config, 'config', text);
    await quiet();
    expect([requests(), bus.stats().failed]).toEqual([1, garbage.length]);
    await push(2);
    await settled(() => applied.at(-1) === 2);
  });

  it('a version that will never be costs a few polls, then it is forgotten, and true ones are heard', async () => {
    await push(Number.MAX_SAFE_INTEGER);
    // At 100, 200, … 3,200 ms.
    await settled(() => requests() === 8, 10_000);
    await sleep(3_500);
    expect([applied, requests()]).toEqual([[1], 8]);
    plane.snapshot = snapshotAt(2);
    await push(2);
    await settled(() => applied.at(-1) === 2);
  }, 20_000);
});
