import { Controller, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Ctx, EventPattern, type MicroserviceOptions, Payload } from '@nestjs/microservices';
import { pino } from 'pino';
import type { BusBatch } from './event-batches.js';
import { EventBusServer } from './event-bus-server.js';
import { EventContext } from './event-context.js';
import { InProcessBus } from './in-process-bus.js';

const seen: string[] = [];

@Controller()
class Listener {
  @EventPattern<string>('sluice.config.v1')
  changed(@Payload() data: { readonly version: number }, @Ctx() context: EventContext): void {
    seen.push(`changed ${data.version} ${context.message.key}`);
  }

  @EventPattern<string>('sluice.decisions.v1', { groupId: 'log' })
  decided(@Payload() data: { readonly id: string }): void {
    seen.push(`decided ${data.id}`);
    if (data.id === 'poison') throw new Error('cannot');
  }
}

@Module({ controllers: [Listener] })
class ListenerModule {}

async function start(bus: InProcessBus): Promise<{ close(): Promise<void> }> {
  const app = await NestFactory.createMicroservice<MicroserviceOptions>(ListenerModule, { strategy: new EventBusServer(bus), logger: false });
  await app.listen();
  return app;
}

const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 50));

describe('@EventPattern handlers over an event bus', () => {
  beforeEach(() => {
    seen.length = 0;
  });

  it('hands the JSON to the handler of the topic: a broadcast to each app, a group to one', async () => {
    const bus = new InProcessBus(pino({ level: 'silent' }));
    const apps = [await start(bus), await start(bus)];
    await bus.publish('sluice.config.v1', 'config', '{"version":7}');
    await bus.publish('sluice.decisions.v1', 'k', '{"id":"d1"}');
    await settled();
    await Promise.all(apps.map((app) => app.close()));
    expect([...seen].sort()).toEqual(['changed 7 config', 'changed 7 config', 'decided d1']);
  });

  it('a failing handler and a message that is no JSON become dead letters, and the next message is handled', async () => {
    const bus = new InProcessBus(pino({ level: 'silent' }));
    const app = await start(bus);
    const dead: string[] = [];
    bus.subscribe('sluice.decisions.v1.dlq', 'broadcast', ({ value }) => void dead.push(value.toString()));
    for (const value of ['{"id":"poison"}', 'no json', '{"id":"fine"}']) await bus.publish('sluice.decisions.v1', 'k', value);
    await settled();
    await app.close();
    expect(dead).toEqual(['{"id":"poison"}', 'no json']);
    expect(seen).toEqual(['decided poison', 'decided poison', 'decided poison', 'decided fine']);
  });

  it('hears nothing after close', async () => {
    const bus = new InProcessBus(pino({ level: 'silent' }));
    const app = await start(bus);
    await app.close();
    await bus.publish('sluice.config.v1', '', '{"version":8}');
    await settled();
    expect(seen).toEqual([]);
  });
});

describe('R81 batch handlers over an event bus', () => {
  const batches: string[][] = [];

  @Controller()
  class Gatherer {
    @EventPattern<string>('sluice.decisions.v1', { groupId: 'log', batch: true })
    gather(@Payload() batch: BusBatch): Promise<void> {
      batches.push([`${batch.topic} ${batch.partition}`, ...batch.messages.map(({ key, value }) => `${key}=${value.toString()}`)]);
      return batches.length === 1 ? Promise.reject(new Error('not now')) : Promise.resolve();
    }
  }

  @Controller()
  class Bystander {
    @EventPattern<string>('sluice.decisions.v1', { groupId: 'log' })
    decided(): void {
      // Stands in the way.
    }
  }

  @Controller()
  class Homeless {
    @EventPattern<string>('sluice.decisions.v1', { batch: true })
    gather(): void {
      // Has no group.
    }
  }

  @Module({ controllers: [Gatherer] })
  class GathererModule {}
  @Module({ controllers: [Gatherer, Bystander] })
  class CrowdedModule {}
  @Module({ controllers: [Homeless] })
  class HomelessModule {}

  const appOf = (module: new () => object, bus: InProcessBus): ReturnType<typeof NestFactory.createMicroservice<MicroserviceOptions>> =>
    NestFactory.createMicroservice<MicroserviceOptions>(module, { strategy: new EventBusServer(bus), logger: false, abortOnError: false });

  it('get the batch as it is, and their failure is that of the batch', async () => {
    const bus = new InProcessBus(pino({ level: 'silent' }));
    const app = await appOf(GathererModule, bus);
    await app.listen();
    await bus.publishBatch('sluice.decisions.v1', [
      { key: 'k', value: 'no json' },
      { key: '', value: '{}' },
    ]);
    await new Promise((resolve) => setTimeout(resolve, 600));
    await app.close();
    const batch = ['sluice.decisions.v1 0', 'k=no json', '={}'];
    expect(batches).toEqual([batch, batch]);
    expect(bus.stats()).toEqual({ published: 2, dropped: 0, handled: 2, failed: 0 });
  });

  it('are alone on their topic, and in a group', async () => {
    const bus = new InProcessBus(pino({ level: 'silent' }));
    await expect((await appOf(CrowdedModule, bus)).listen()).rejects.toThrow('several handlers');
    await expect((await appOf(HomelessModule, bus)).listen()).rejects.toThrow('has no groupId');
  });
});
