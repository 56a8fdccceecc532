import { setTimeout as sleep } from 'node:timers/promises';
import { status } from '@grpc/grpc-js';
import { grpcClient } from '../../test/grpc-client.js';
import { createGrpcServer, type GrpcServer } from '../transport/create-grpc-server.js';
import { healthMethods } from './health-methods.js';

const HEALTH = 'grpc.health.v1.Health';

describe('R73 grpc.health.v1', () => {
  let server: GrpcServer;
  let client: ReturnType<typeof grpcClient>;
  let ready: boolean;
  let looks: number;
  let broken: boolean;

  beforeEach(async () => {
    ready = true;
    looks = 0;
    broken = false;
    const isReady = (): boolean => {
      looks += 1;
      if (broken) throw new Error('readiness broke');
      return ready;
    };
    server = await createGrpcServer({ methods: new Map(healthMethods({ services: ['a.B'], isReady, lookMs: 20 })), mayCall: () => false }, { host: '127.0.0.1', port: 0 });
    client = grpcClient(server.port);
  });
  afterEach(async () => {
    client.close();
    await server.close(100);
  });
  const until = async (holds: () => boolean): Promise<void> => {
    for (let i = 0; i < 400 && !holds(); i += 1) await sleep(5);
    expect(holds()).toBe(true);
  };

  it('Check follows readiness, by service, and is open to anybody', async () => {
    for (const service of ['', 'a.B']) expect(await client.call(HEALTH, 'Check', { service })).toEqual({ status: 1 });
    ready = false;
    for (const service of ['', 'a.B']) expect(await client.call(HEALTH, 'Check', { service })).toEqual({ status: 2 });
    expect(await client.call(HEALTH, 'Check', { service: 'a.C' })).toMatchObject({ code: status.NOT_FOUND });
  });

  it('Watch says the status at once, and each change of it once', async () => {
    const watch = client.stream(HEALTH, 'Watch');
    watch.send({ service: 'a.B' });
    watch.end();
    await until(() => watch.answers.length === 1);
    await sleep(60);
    ready = false;
    await until(() => watch.answers.length === 2);
    ready = true;
    await until(() => watch.answers.length === 3);
    expect(watch.answers).toEqual([{ status: 1 }, { status: 2 }, { status: 1 }]);
  });

  it('who is not able to say whether it is ready is not, and whoever watches sees it come back', async () => {
    const watch = client.stream(HEALTH, 'Watch');
    watch.send({ service: 'a.B' });
    watch.end();
    await until(() => watch.answers.length === 1);
    broken = true;
    await until(() => watch.answers.length === 2);
    expect(await client.call(HEALTH, 'Check', {})).toEqual({ status: 2 });
    broken = false;
    await until(() => watch.answers.length === 3);
    expect(watch.answers).toEqual([{ status: 1 }, { status: 2 }, { status: 1 }]);
  });

  it('Watch says of an unknown service that it is unknown, and stays', async () => {
    const watch = client.stream(HEALTH, 'Watch');
    watch.send({ service: 'a.C' });
    watch.end();
    await until(() => watch.answers.length === 1);
    expect(watch.answers).toEqual([{ status: 3 }]);
    expect(await Promise.race([watch.ended, sleep(50, 'stays')])).toBe('stays');
  });

  it('Watch wants one message', async () => {
    const none = client.stream(HEALTH, 'Watch');
    none.end();
    expect(await none.ended).toMatchObject({ code: status.INTERNAL });
    const two = client.stream(HEALTH, 'Watch');
    two.send({ service: '' });
    two.send({ service: '' });
    two.end();
    expect(await two.ended).toMatchObject({ code: status.UNIMPLEMENTED });
  });

  it('takes no long message from somebody who is unknown', async () => {
    expect(await client.call(HEALTH, 'Check', { service: 'x'.repeat(5_000) })).toMatchObject({ code: status.RESOURCE_EXHAUSTED });
  });

  it('does not look when nobody watches any more', async () => {
    const watch = client.stream(HEALTH, 'Watch');
    watch.send({ service: '' });
    await until(() => looks > 3);
    watch.cancel();
    await watch.ended;
    await sleep(50);
    const after = looks;
    await sleep(80);
    expect(looks).toBe(after);
  });

  it('allows 16 watchers on a connection', async () => {
    const watches = Array.from({ length: 17 }, () => client.stream(HEALTH, 'Watch'));
    for (const watch of watches) {
      watch.send({ service: '' });
      watch.end();
    }
    expect(await watches[16]?.ended).toMatchObject({ code: status.RESOURCE_EXHAUSTED });
    await until(() => watches.slice(0, 16).every(({ answers }) => answers.length === 1));
  });

  it('R44 a stop ends who watches with UNAVAILABLE', async () => {
    const watch = client.stream(HEALTH, 'Watch');
    watch.send({ service: '' });
    watch.end();
    await until(() => watch.answers.length === 1);
    const closing = server.close(5_000);
    expect(await watch.ended).toMatchObject({ code: status.UNAVAILABLE, details: 'the server is stopping' });
    client.close();
    expect(await closing).toBe(true);
  });
});
