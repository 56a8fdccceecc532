import { Controller, type INestApplication, UseGuards } from '@nestjs/common';
import { type ClientProxy, ClientsModule, MessagePattern, Transport } from '@nestjs/microservices';
import { WsAdapter } from '@nestjs/platform-ws';
import { MessageBody, SubscribeMessage, WebSocketGateway } from '@nestjs/websockets';
import type { Limiter } from '@sluice/limiter';
import { freePort } from '@sluice/testkit';
import { once } from 'node:events';
import { lastValueFrom } from 'rxjs';
import { WebSocket } from 'ws';
import { limiterOf, startNest } from '../../test/nest-app.js';
import { allowed, scriptedDecider } from '../../test/scripted-decider.js';
import type { Decider } from '../decider.js';
import { RateLimit, RateLimitGuard, RateLimitKey, RateLimitModule } from './index.js';

@WebSocketGateway()
@UseGuards(RateLimitGuard)
class Chat {
  @SubscribeMessage('say')
  @UseGuards(RateLimitGuard)
  say(@MessageBody() text: string): object {
    return { event: 'said', data: text };
  }
}

@Controller()
@UseGuards(RateLimitGuard)
class Sums {
  @MessagePattern('add')
  @RateLimit('sums', { cost: 2 })
  @RateLimitKey((context) => context.switchToRpc().getData<{ caller: string }>().caller)
  add({ numbers }: { numbers: readonly number[] }): number {
    return numbers.reduce((sum, number) => sum + number, 0);
  }

  @MessagePattern({ cmd: 'none' })
  none(): string {
    return 'nothing';
  }
}

const CLIENT = Symbol('client');

describe('R75 Nest skin on messages', () => {
  let app: INestApplication | undefined;
  let limiter: Limiter | undefined;

  afterEach(async () => {
    await app?.close();
    await limiter?.close();
    app = limiter = undefined;
  });

  /** Sends, and resolves to what comes back. */
  async function say(socket: WebSocket, data: string): Promise<{ event: string; data: unknown }> {
    const answer = once(socket, 'message');
    socket.send(JSON.stringify({ event: 'say', data }));
    return JSON.parse(String((await answer)[0])) as { event: string; data: unknown };
  }

  it('refuses a message of a WebSocket by the exception event, once although the guard is bound twice, and the connection stays', async () => {
    limiter = limiterOf({ endpoint: 'WS /say', count_by: ['ip'], limit: 2, window_seconds: 1, algorithm: 'fixed_window' });
    const started = await startNest('Fastify', { imports: [RateLimitModule.forRoot({ limiter })], providers: [Chat] }, (made) => void made.useWebSocketAdapter(new WsAdapter(made)));
    app = started.app;
    const socket = new WebSocket(started.url.replace('http', 'ws'));
    await once(socket, 'open');
    expect([await say(socket, 'a'), await say(socket, 'b')]).toEqual([{ event: 'said', data: 'a' }, { event: 'said', data: 'b' }]);
    const { event, data } = await say(socket, 'c');
    expect(event).toBe('exception');
    expect(data).toMatchObject({ status: 429, 'violated-policies': ['default'], retry_after_seconds: 1 });
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(await say(socket, 'd')).toEqual({ event: 'said', data: 'd' });
    socket.close();
  });

  it('refuses a call of a microservice by an error with the problem, by rule and key', async () => {
    limiter = limiterOf({ descriptors: { rule: 'sums' }, limit: 4, window_seconds: 60 });
    const port = await freePort();
    const service = { transport: Transport.TCP, options: { host: '127.0.0.1', port } } as const;
    const parts = { imports: [RateLimitModule.forRoot({ limiter }), ClientsModule.register([{ name: CLIENT, ...service }])], controllers: [Sums] };
    const started = await startNest('Express', parts, (made) => void made.connectMicroservice(service, { inheritAppConfig: true }));
    app = started.app;
    await app.startAllMicroservices();
    const client = app.get<ClientProxy>(CLIENT);
    const add = (caller: string): Promise<number> => lastValueFrom(client.send<number>('add', { caller, numbers: [1, 2] }));
    expect([await add('ann'), await add('ann'), await add('bob')]).toEqual([3, 3, 3]);
    await expect(add('ann')).rejects.toMatchObject({ status: 429, reason: 'quota', 'violated-policies': ['default'] });
    client.close();
  });

  it('names what has no pattern in words by its handler', async () => {
    const scripted = scriptedDecider(allowed);
    const port = await freePort();
    const service = { transport: Transport.TCP, options: { host: '127.0.0.1', port } } as const;
    const decider: Decider = Object.assign(Object.create(null), scripted);
    const started = await startNest('Express', { imports: [RateLimitModule.forRoot({ limiter: decider }), ClientsModule.register([{ name: CLIENT, ...service }])], controllers: [Sums] }, (made) => void made.connectMicroservice(service));
    app = started.app;
    await app.startAllMicroservices();
    const client = app.get<ClientProxy>(CLIENT);
    expect(await lastValueFrom(client.send({ cmd: 'none' }, {}))).toBe('nothing');
    expect(scripted.calls.map(({ attributes }) => attributes)).toEqual([{ endpoint: 'RPC /Sums.none', ip: 'unknown' }]);
    client.close();
  });
});
