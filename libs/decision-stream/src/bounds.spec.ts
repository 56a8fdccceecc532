import { createHook } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { RecordingSink } from '../test/recording-sink.js';
import { ALLOWED, decision, outcome, REFUSED, seeded, streamTo } from '../test/support.js';
import type { StreamMessage, StreamStats } from './decision-stream.js';

function isAccounted({ offered, sent, droppedFull, droppedSink, droppedStop, waiting }: StreamStats): boolean {
  return offered === sent + droppedFull + droppedSink + droppedStop + waiting;
}

describe('R80, R43 the stream is bounded, and counts what it loses', () => {
  it('a sink that never answers gets one batch; the ring fills, and the rest is dropped', async () => {
    let calls = 0;
    let answer: (accepted: number) => void = () => undefined;
    const stream = streamTo({ send: () => { calls += 1; return new Promise((resolve) => (answer = resolve)); } }, { capacity: 256 });
    for (let at = 0; at < 1_000; at += 1) stream.note(REFUSED, { key_id: `k${at}` });
    expect(stream.stats()).toMatchObject({ offered: 1_000, droppedFull: 744, waiting: 256 });
    while (calls === 0) await sleep(5);
    await sleep(100);
    for (let at = 0; at < 1_000; at += 1) stream.note(REFUSED, { key_id: `k${at}` });
    // The batch under way has left the ring.
    expect(stream.stats()).toMatchObject({ offered: 2_000, sent: 0, droppedFull: 744 + 900, droppedSink: 0, waiting: 356 });
    expect(calls).toBe(1);
    const startMs = performance.now();
    await stream.close();
    expect(performance.now() - startMs).toBeGreaterThan(1_900);
    expect(performance.now() - startMs).toBeLessThan(8_000);
    const atTheStop = stream.stats();
    expect(atTheStop).toMatchObject({ offered: 2_000, sent: 0, droppedFull: 1_644, droppedStop: 356, waiting: 0 });
    answer(100);
    await sleep(50);
    expect(calls).toBe(1);
    expect(stream.stats()).toEqual(atTheStop);
  });

  it.each([
    ['rejects', () => Promise.reject(new Error('away'))],
    ['throws', () => { throw new Error('away'); }],
    ['takes none', () => Promise.resolve(0)],
    ['takes NaN', () => Promise.resolve(NaN)],
    ['takes less than none', () => Promise.resolve(-5)],
  ])('a sink that %s gets a batch now and then, and loses it', async (_, send) => {
    let calls = 0;
    const stream = streamTo({ send: () => { calls += 1; return send(); } }, { capacity: 1_024 });
    for (let at = 0; at < 1_000; at += 1) stream.note(REFUSED, {});
    const startMs = performance.now();
    while (calls < 4) await sleep(5);
    // The first after 100 ms, the next ones after 100, 200 and 400 more.
    expect(performance.now() - startMs).toBeGreaterThan(750);
    await sleep(1);
    expect(stream.stats()).toMatchObject({ sent: 0, droppedSink: 400, waiting: 600 });
    await stream.close();
    expect(stream.stats()).toMatchObject({ sent: 0, droppedSink: 1_000, waiting: 0 });
  });

  it('goes on with the next batch, without a long pause, when the sink is there again', async () => {
    const sink = new RecordingSink();
    let isAway = true;
    const stream = streamTo({ send: (messages) => (isAway ? Promise.resolve(0) : sink.send(messages)) });
    for (let at = 0; at < 1_000; at += 1) stream.note(REFUSED, {});
    while (stream.stats().droppedSink === 0) await sleep(1);
    isAway = false;
    const startMs = performance.now();
    while (stream.stats().waiting > 0) await sleep(5);
    expect(performance.now() - startMs).toBeGreaterThan(100 + 8 * 10 - 20);
    expect(stream.stats()).toMatchObject({ sent: 900, droppedSink: 100, waiting: 0 });
    await stream.close();
  });

  it('sends no more a second than it may, one batch at a time, and never the same twice', async () => {
    const sink = new RecordingSink();
    let underWay = 0;
    let most = 0;
    const stream = streamTo(
      {
        async send(messages) {
          most = Math.max(most, (underWay += 1));
          await sleep(5);
          underWay -= 1;
          return sink.send(messages);
        },
      },
      { maxPerSecond: 2_000 },
    );
    for (let at = 0; at < 10_000; at += 1) stream.note(REFUSED, {});
    const startMs = performance.now();
    while (sink.messages.length < 1_500) await sleep(5);
    expect(performance.now() - startMs).toBeGreaterThan(500);
    // One batch at the start, and what is made up for.
    expect(sink.messages.length).toBeLessThanOrEqual(2 * (performance.now() - startMs) + 100 + 40);
    expect(Math.max(...sink.batches.map(({ length }) => length))).toBe(100);
    await stream.close();
    expect(most).toBe(1);
    expect(new Set(sink.events.map(({ event_id }) => event_id)).size).toBe(10_000);
    expect(stream.stats()).toMatchObject({ sent: 10_000, waiting: 0 });
  });

  it('writing leaves the event loop to others, though each event takes long', async () => {
    const slow = { ...REFUSED };
    let reads = 0;
    Object.defineProperty(slow, 'reason', {
      get() {
        reads += 1;
        const endMs = performance.now() + 0.5;
        while (performance.now() < endMs);
        return 'quota';
      },
    });
    const stream = streamTo({ send: (messages) => Promise.resolve(messages.length) });
    for (let at = 0; at < 50; at += 1) stream.note(slow, {});
    const startMs = performance.now();
    let most = 0;
    let ticks = 0;
    while (stream.stats().sent < 50) {
      const before = reads;
      await sleep(1);
      ticks += 1;
      most = Math.max(most, reads - before);
    }
    // 25 ms of writing, in slices of 4 ms (a look at the clock each eight events), each followed by a rest four times as long.
    expect(most).toBeLessThanOrEqual(8);
    expect(ticks).toBeGreaterThan(20);
    expect(performance.now() - startMs).toBeGreaterThan(25 + 100);
    await stream.close();
  });

  it('attributes as long as an attacker likes hold no more memory than many short ones', async () => {
    let hasBegun = false;
    const stream = streamTo({ send: () => { hasBegun = true; return new Promise(() => undefined); } }, { capacity: 1_024 });
    for (let at = 0; at < 1_000; at += 1) stream.note(REFUSED, { key_id: `k${at}`, other: 'x'.repeat(100_000) });
    expect(stream.stats().waiting).toBe(5);
    stream.note(REFUSED, { key_id: 'short' });
    expect(stream.stats().waiting).toBe(6);
    while (!hasBegun) await sleep(5);
    // What was written holds nothing any more.
    stream.note(REFUSED, { key_id: 'long', other: 'x'.repeat(500_000) });
    expect(stream.stats()).toMatchObject({ waiting: 7 });
    await stream.close();
  });

  it.each<readonly [string, number, Readonly<Record<string, string>>]>([
    ['long names of nothing', 102, Object.fromEntries(Array.from({ length: 32 }, (_, at) => [String(at).padEnd(128, 'n'), '']))],
    ['very many names of nothing', 14, Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [String(at + 100), '']))],
  ])('attributes with %s count, too', async (_, most, attributes) => {
    const stream = streamTo({ send: () => new Promise(() => undefined) }, { capacity: 1_024 });
    for (let at = 0; at < 1_000; at += 1) stream.noteUnauthenticated('no_credentials', { ...attributes });
    expect(stream.stats()).toMatchObject({ waiting: most, droppedFull: 1_000 - most });
    await stream.close();
  });

  it('lets go of what was sent', async () => {
    setFlagsFromString('--expose-gc');
    const gc = runInNewContext('gc') as () => void;
    const stream = streamTo(new RecordingSink());
    const refs = Array.from({ length: 10 }, () => {
      const noted = { ...REFUSED };
      stream.note(noted, {});
      return new WeakRef(noted);
    });
    while (stream.stats().waiting > 0) await sleep(5);
    gc();
    await sleep(10);
    gc();
    expect(refs.filter((ref) => ref.deref() !== undefined)).toEqual([]);
    await stream.close();
  });

  it('a decision that cannot be written is dropped, and those beside it are not', async () => {
    const sink = new RecordingSink();
    const stream = streamTo(sink);
    const broken = { ...REFUSED };
    Object.defineProperty(broken, 'reason', { get: () => { throw new Error('broken'); } });
    for (const one of [REFUSED, broken, REFUSED]) stream.note(one, {});
    await stream.close();
    expect(sink.events).toHaveLength(2);
    expect(stream.stats()).toMatchObject({ offered: 3, sent: 2, droppedSink: 1 });
  });

  it('a stream that is closed takes nothing, and counts it', async () => {
    const sink = new RecordingSink();
    const stream = streamTo(sink);
    stream.note(REFUSED, {});
    const closing = stream.close();
    expect(stream.close()).toBe(closing);
    stream.note(REFUSED, {});
    await closing;
    stream.noteUnauthenticated('no_credentials', {});
    expect(sink.events).toHaveLength(1);
    expect(stream.stats()).toMatchObject({ offered: 3, sent: 1, droppedStop: 2, waiting: 0 });
  });

  it('whatever the sink does, every event is sent, waiting, or dropped and counted', async () => {
    const answers = fc.array(fc.oneof(fc.constantFrom('all', 'none', 'reject', 'slow'), fc.double({ min: 0, max: 1, noNaN: true })), { minLength: 1, maxLength: 6 });
    const steps = fc.array(fc.record({ count: fc.nat(300), pauseMs: fc.nat(15) }), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(answers, steps, fc.constantFrom(2, 16, 128, 1_024), fc.nat(), async (script, load, capacity, seed) => {
        const taken: StreamMessage[] = [];
        let call = 0;
        const stream = streamTo(
          {
            async send(messages) {
              const answer = script[call++ % script.length];
              if (answer === 'reject') throw new Error('away');
              if (answer === 'slow') await sleep(10);
              const accepted = answer === 'none' ? 0 : typeof answer === 'number' ? Math.floor(answer * messages.length) : messages.length;
              taken.push(...messages.slice(0, accepted));
              return accepted;
            },
          },
          { capacity, allowShare: 0.5, random: seeded(seed), maxPerSecond: 100_000 },
        );
        let allows = 0;
        let others = 0;
        for (const { count, pauseMs } of load) {
          for (let at = 0; at < count; at += 1) {
            if (at % 3 === 0) others += 1;
            else allows += 1;
            stream.note(at % 3 === 0 ? REFUSED : ALLOWED, { key_id: `k${at}` });
          }
          expect(isAccounted(stream.stats())).toBe(true);
          await sleep(pauseMs);
          expect(isAccounted(stream.stats())).toBe(true);
        }
        await stream.close();
        const stats = stream.stats();
        expect(isAccounted(stats)).toBe(true);
        expect(stats.waiting).toBe(0);
        expect(stats.offered + stats.sampledOut).toBe(allows + others);
        expect(taken).toHaveLength(stats.sent);
        const sequences = taken.map(({ value }) => Number(/"event_id":"[^:]+:(\d+)"/.exec(value)?.[1]));
        expect(sequences.every((sequence, at) => at === 0 || sequence > (sequences[at - 1] ?? 0))).toBe(true);
      }),
      { seed: 80, numRuns: 40 },
    );
  });

  it('its timer keeps no process alive', async () => {
    const timers = (): number => process.getActiveResourcesInfo().filter((type) => type === 'Timeout').length;
    const before = timers();
    const stream = streamTo(new RecordingSink());
    await new Promise(setImmediate);
    expect(timers()).toBe(before);
    await stream.close();
  });

  it('noting makes no timer, no promise, and nothing else that is asynchronous', async () => {
    const stream = streamTo(new RecordingSink(), { allowShare: 1, ruleShares: new Map([['items', 0.5]]) });
    const made: string[] = [];
    const hook = createHook({ init: (_id, type) => void made.push(type) }).enable();
    for (let at = 0; at < 1_000; at += 1) {
      stream.note(decision(outcome()), {});
      stream.note(REFUSED, {});
      stream.noteUnauthenticated('no_credentials', {});
    }
    hook.disable();
    expect(made).toEqual([]);
    await stream.close();
  });
});
