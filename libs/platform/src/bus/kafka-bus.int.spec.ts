import { Controller, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { EventPattern, type MicroserviceOptions, Payload } from '@nestjs/microservices';
import { freePort, sharedKafka, startKafka } from '@sluice/testkit';
import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { EventBusServer } from './event-bus-server.js';
import { KafkaBus } from './kafka-bus.js';

const logger = pino({ level: process.env['SLUICE_TEST_LOG'] ?? 'silent' });
const buses: KafkaBus[] = [];

function busOn(brokers: readonly string[], publishBoundMs = 5_000): KafkaBus {
  const bus = new KafkaBus({ brokers, clientId: 'platform-test', logger, publishBoundMs });
  buses.push(bus);
  return bus;
}

/** A mock broker keeps nothing over a restart. */
const { kind } = await sharedKafka();

const topicName = (): string => `test.${randomUUID()}`;

async function until(met: () => boolean, timeoutMs = 30_000): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!met()) {
    if (performance.now() > deadline) throw new Error('It did not come to pass in time.');
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

afterEach(async () => {
  await Promise.all(buses.splice(0).map((bus) => bus.close()));
}, 30_000);

describe('the bus on Kafka', () => {
  it('gives a message to every broadcast subscriber and to one member of a group, in order of its key', async () => {
    const { brokers } = await sharedKafka();
    const bus = busOn(brokers);
    const topic = topicName();
    expect(await bus.publish(topic, '', 'before')).toBe('sent');
    const seen: Record<string, string[]> = { first: [], second: [], group: [] };
    const groupId = `g-${randomUUID()}`;
    const subscriptions = [
      bus.subscribe(topic, 'broadcast', ({ value }) => void seen['first']?.push(value.toString())),
      bus.subscribe(topic, 'broadcast', ({ value }) => void seen['second']?.push(value.toString())),
      bus.subscribe(topic, { groupId }, ({ key, value }) => void seen['group']?.push(`${key}:${value.toString()}`)),
    ];
    await Promise.all(subscriptions.map(({ ready }) => ready));
    const outcomes = await Promise.all(Array.from({ length: 50 }, (_, index) => bus.publish(topic, 'k', String(index))));
    expect(new Set(outcomes)).toEqual(new Set(['sent']));
    const numbers = Array.from({ length: 50 }, (_, index) => String(index));
    await until(() => Object.values(seen).every((messages) => messages.length >= 50));
    expect(seen['first']).toEqual(numbers);
    expect(seen['second']).toEqual(numbers);
    // A group that is new reads what is there already; a broadcast begins with what comes.
    expect(seen['group']).toEqual([':before', ...numbers.map((number) => `k:${number}`)]);
    expect(bus.stats()).toMatchObject({ published: 51, dropped: 0, failed: 0 });
  }, 90_000);

  it('keeps what a group could not handle on the dead letter topic, and goes on', async () => {
    const { brokers } = await sharedKafka();
    const bus = busOn(brokers);
    const topic = topicName();
    const handled: string[] = [];
    const dead: string[] = [];
    await bus.publish(topic, 'k', 'poison');
    await bus.publish(topic, 'k', 'fine');
    bus.subscribe(topic, { groupId: `g-${randomUUID()}` }, ({ value }) => {
      if (value.toString() === 'poison') throw new Error('cannot');
      handled.push(value.toString());
    });
    await until(() => handled.length > 0);
    bus.subscribe(`${topic}.dlq`, { groupId: `g-${randomUUID()}` }, ({ value }) => void dead.push(value.toString()));
    await until(() => dead.length > 0);
    expect(handled).toEqual(['fine']);
    expect(dead).toEqual(['poison']);
  }, 90_000);
});

describe('@EventPattern handlers on Kafka', () => {
  it('hear what is published once the app listens', async () => {
    const topic = topicName();
    const seen: number[] = [];

    @Controller()
    class Listener {
      @EventPattern<string>(topic)
      changed(@Payload() data: { readonly version: number }): void {
        seen.push(data.version);
      }
    }

    @Module({ controllers: [Listener] })
    class ListenerModule {}

    const { brokers } = await sharedKafka();
    const bus = busOn(brokers);
    await bus.publish(topic, '', '{"version":1}');
    const app = await NestFactory.createMicroservice<MicroserviceOptions>(ListenerModule, { strategy: new EventBusServer(bus), logger: false });
    await app.listen();
    await bus.publish(topic, '', '{"version":2}');
    await until(() => seen.length > 0);
    await app.close();
    expect(seen).toEqual([2]);
  }, 90_000);
});

describe('R43 Kafka is away', () => {
  it('publishing takes no longer than its bound, throws nothing and counts what is dropped; closing ends', async () => {
    const bus = busOn([`127.0.0.1:${await freePort()}`], 300);
    const subscription = bus.subscribe(topicName(), 'broadcast', () => undefined);
    const started = performance.now();
    const outcomes = await Promise.all(Array.from({ length: 12_000 }, () => bus.publish('t', 'k', 'x')));
    expect(performance.now() - started).toBeLessThan(1_500);
    expect(new Set(outcomes)).toEqual(new Set(['dropped']));
    expect(bus.stats()).toEqual({ published: 0, dropped: 12_000, handled: 0, failed: 0 });
    expect(bus.isConnected()).toBe(false);
    const closing = performance.now();
    await subscription.close();
    await bus.close();
    expect(performance.now() - closing).toBeLessThan(8_000);
  }, 30_000);

  it('a broker that hangs costs the bound and no more; when it is back, so is the bus, subscriptions included', async () => {
    const kafka = await startKafka();
    try {
      const bus = busOn(kafka.brokers, 1_000);
      const topic = topicName();
      const seen: string[] = [];
      await until(() => bus.isConnected());
      await bus.publish(topic, 'k', 'warm-up');
      await bus.subscribe(topic, 'broadcast', ({ value }) => void seen.push(value.toString())).ready;
      await bus.publish(topic, 'k', 'first');
      await until(() => seen.includes('first'));
      kafka.pause();
      const started = performance.now();
      expect(await bus.publish(topic, 'k', 'lost')).toBe('dropped');
      expect(performance.now() - started).toBeLessThan(2_000);
      kafka.resume();
      let outcome = 'dropped';
      await until(() => {
        void bus.publish(topic, 'k', 'again').then((result) => (outcome = result));
        return outcome === 'sent';
      }, 60_000);
      await until(() => seen.includes('again'), 60_000);
    } finally {
      await kafka.stop();
    }
  }, 180_000);

  (kind === 'mock' ? it.skip : it)('a broker that dies and comes back has its subscriptions again (needs a real broker)', async () => {
    const kafka = await startKafka();
    try {
      const bus = busOn(kafka.brokers, 1_000);
      const topic = topicName();
      const seen: string[] = [];
      await until(() => bus.isConnected());
      await bus.publish(topic, 'k', 'warm-up');
      await bus.subscribe(topic, 'broadcast', ({ value }) => void seen.push(value.toString())).ready;
      await kafka.kill();
      expect(await bus.publish(topic, 'k', 'nobody there')).toBe('dropped');
      await kafka.restart();
      await until(() => {
        void bus.publish(topic, 'k', 'after the restart');
        return seen.includes('after the restart');
      }, 60_000);
    } finally {
      await kafka.stop();
    }
  }, 180_000);
});
