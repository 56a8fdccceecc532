import { pino } from 'pino';
import type { BusMessage } from './event-bus.js';
import { InProcessBus } from './in-process-bus.js';

const logger = pino({ level: 'silent' });

function collector(): { readonly seen: string[]; readonly handler: (message: BusMessage) => void } {
  const seen: string[] = [];
  return { seen, handler: (message) => void seen.push(`${message.key}=${message.value.toString()}`) };
}

describe('the bus of one process', () => {
  it('gives a message to every broadcast subscriber and to one member of each group', async () => {
    const bus = new InProcessBus(logger);
    const [first, second, memberA, memberB, other] = [collector(), collector(), collector(), collector(), collector()];
    bus.subscribe('t', 'broadcast', first.handler);
    bus.subscribe('t', 'broadcast', second.handler);
    bus.subscribe('t', { groupId: 'g' }, memberA.handler);
    bus.subscribe('t', { groupId: 'g' }, memberB.handler);
    bus.subscribe('t', { groupId: 'h' }, other.handler);
    for (let index = 0; index < 20; index += 1) expect(await bus.publish('t', `k${index}`, String(index))).toBe('sent');
    await bus.close();
    expect(first.seen).toHaveLength(20);
    expect(second.seen).toEqual(first.seen);
    expect(other.seen).toHaveLength(20);
    expect([...memberA.seen, ...memberB.seen].sort()).toEqual([...first.seen].sort());
    expect(memberA.seen.length).toBeGreaterThan(0);
    expect(memberB.seen.length).toBeGreaterThan(0);
  });

  it('keeps the order of messages though handlers take their time, and never runs on the publisher', async () => {
    const bus = new InProcessBus(logger);
    const seen: string[] = [];
    bus.subscribe('t', { groupId: 'g' }, async ({ value }) => {
      await new Promise((resolve) => setTimeout(resolve, value.toString() === '0' ? 20 : 0));
      seen.push(value.toString());
    });
    for (const value of ['0', '1', '2']) void bus.publish('t', 'k', value);
    expect(seen).toEqual([]);
    await bus.close();
    expect(seen).toEqual(['0', '1', '2']);
  });

  it('calls a failing handler three times, then keeps the message on the dead letter topic of a group', async () => {
    const bus = new InProcessBus(logger);
    const dead = collector();
    let calls = 0;
    bus.subscribe('t.dlq', { groupId: 'dead' }, dead.handler);
    bus.subscribe('t', { groupId: 'g' }, () => {
      calls += 1;
      throw new Error('poison');
    });
    await bus.publish('t', 'k', 'bad');
    await new Promise((resolve) => setTimeout(resolve, 20));
    await bus.close();
    expect(calls).toBe(3);
    expect(dead.seen).toEqual(['k=bad']);
    expect(bus.stats()).toEqual({ published: 2, dropped: 0, handled: 1, failed: 1 });
  });

  it('a publisher never waits: what a stuck subscriber has no room for is dropped and counted', async () => {
    const bus = new InProcessBus(logger);
    let release: () => void = () => undefined;
    const stuck = new Promise<void>((resolve) => {
      release = resolve;
    });
    bus.subscribe('t', 'broadcast', () => stuck);
    const outcomes = await Promise.all(Array.from({ length: 10_010 }, () => bus.publish('t', '', 'x')));
    expect(outcomes.filter((outcome) => outcome === 'dropped')).toHaveLength(10);
    expect(bus.stats().dropped).toBe(10);
    release();
    await bus.close();
  });

  it('a closed subscription hears nothing more; a closed bus drops', async () => {
    const bus = new InProcessBus(logger);
    const { seen, handler } = collector();
    const subscription = bus.subscribe('t', 'broadcast', handler);
    await bus.publish('t', '', '1');
    await new Promise((resolve) => setTimeout(resolve, 5));
    await subscription.close();
    await bus.publish('t', '', '2');
    await bus.close();
    expect(seen).toEqual(['=1']);
    expect(await bus.publish('t', '', '3')).toBe('dropped');
  });
});
