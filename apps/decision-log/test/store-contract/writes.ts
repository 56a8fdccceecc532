import type { DecisionEvent } from '@sluice/events';
import fc from 'fast-check';
import type { ReceivedEvent } from '../../src/store/decision-store.js';
import { eventsIn, HOSTILE } from './arbitrary-event.js';
import type { ContractStore } from './contract-store.js';
import { expectedFind } from './oracle.js';
import { eventOf, limitOf } from './sample-events.js';
import { nextSlot } from './slots.js';

const ALL = ['decision', 'shadow', 'unauthenticated'] as const;

/** Writing: everything once, as it came. */
export function writes(opened: () => ContractStore): void {
  const found = (filter: { readonly fromMs: number; readonly toMs: number }): Promise<readonly DecisionEvent[]> => opened().store.find({ ...filter, kinds: ALL }, 10_000);

  it('takes an empty batch', async () => {
    expect(await opened().store.write([])).toEqual({ stored: 0, repeated: 0 });
  });

  it('gives every field back as it came', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constant(undefined).chain(() => { const slot = nextSlot(); return fc.tuple(fc.constant(slot), eventsIn(slot, { minLength: 1, maxLength: 40 })); }), async ([slot, events]) => {
        await opened().store.write(events.map((event) => ({ partition: 0, event })));
        expect(await found(slot)).toEqual(expectedFind(events, { ...slot, kinds: ALL }, Infinity));
      }),
      { seed: 81, numRuns: 12, endOnFailure: true },
    );
  });

  it('keeps hostile texts, wherever they stand', async () => {
    const slot = nextSlot();
    const events = HOSTILE.map((text, index) =>
      eventOf({
        event_id: `${slot.name}:${String(index)}`,
        at_ms: slot.fromMs + index,
        region: text,
        node_id: text,
        app: text,
        reason: text,
        source: text,
        attributes: Object.fromEntries(['domain', 'plan', 'endpoint', 'key_id', 'tenant_id', 'user_id', 'ip', 'x:other'].map((name) => [name, text])),
        limits: [limitOf({ policy: text, rule_id: text, override_id: text, source: text, reason: text }), limitOf({ policy: text, rule_id: text, override_id: text })],
      }),
    );
    await opened().store.write(events.map((event) => ({ partition: 0, event })));
    expect(await found(slot)).toEqual(events.toReversed());
    for (const event of events) {
      const text = event.region;
      const filter = { ...slot, region: text, reason: text, ruleId: text, attributes: { key_id: text, ip: text } };
      expect(await opened().store.find(filter, 10)).toEqual([event]);
    }
  });

  it('keeps what an integer can be', async () => {
    const slot = nextSlot();
    const most = Number.MAX_SAFE_INTEGER;
    const event = eventOf({
      event_id: `${slot.name}:${String(most)}`,
      at_ms: slot.fromMs,
      snapshot_version: most,
      cost: most,
      retry_after_ms: most,
      limits: [limitOf({ rule_version: most, limit: most, window_ms: most, remaining: most, reset_ms: most, retry_ms: most }), limitOf({ limit: most, retry_ms: -1 })],
    });
    await opened().store.write([{ partition: 2 ** 31 - 1, event }]);
    expect(await found(slot)).toEqual([event]);
  });

  it('keeps the greatest event that there can be', async () => {
    const slot = nextSlot();
    const long = '€'.repeat(256);
    const event = eventOf({
      event_id: `${slot.name}:0`,
      at_ms: slot.fromMs,
      attributes: Object.fromEntries(Array.from({ length: 64 }, (_, index) => [`${'n'.repeat(60)}${String(index)}`, long])),
      limits: Array.from({ length: 32 }, (_, index) => limitOf({ policy: long, rule_id: `${long.slice(2)}${String(index).padStart(2, '0')}`, override_id: long })),
    });
    await opened().store.write([{ partition: 0, event }]);
    expect(await found(slot)).toEqual([event]);
    expect(await opened().store.find({ ...slot, ruleId: `${long.slice(2)}31` }, 10)).toEqual([event]);
  });

  it('keeps the last ms of the year 9999, and takes one of 1970', async () => {
    const { name } = nextSlot();
    const atMs = 253_402_300_799_999;
    const far = eventOf({ event_id: `${name}:1`, at_ms: atMs });
    await opened().store.write([{ partition: 0, event: eventOf({ event_id: `${name}:0`, at_ms: 0 }) }, { partition: 0, event: far }]);
    expect(await found({ fromMs: atMs, toMs: atMs + 1 })).toEqual([far]);
    await opened().store.tend(Date.now());
    expect(await found({ fromMs: atMs, toMs: atMs + 1 })).toEqual([far]);
  });

  it('R81 known failure 26: stores each event once, however often and in whatever batches it is delivered', async () => {
    await fc.assert(
      fc.asyncProperty(deliveries(), async ({ slot, events, batches, tendAfter, reopenAfter }) => {
        let stored = 0;
        for (const [index, batch] of batches.entries()) {
          const written = await opened().store.write(batch);
          expect(written.stored + written.repeated).toBe(batch.length);
          stored += written.stored;
          if (index === tendAfter) await opened().store.tend(Date.now());
          if (index === reopenAfter) await opened().reopen();
        }
        expect(stored).toBe(events.length);
        expect(await found(slot)).toEqual(expectedFind(events, { ...slot, kinds: ALL }, Infinity));
      }),
      { seed: 82, numRuns: 15, endOnFailure: true },
    );
  });

  it('R81 takes two producers with the same sequences, and one producer over several partitions, for what they are', async () => {
    const slot = nextSlot();
    const at = (producer: string, sequence: number): DecisionEvent => eventOf({ event_id: `${slot.name}${producer}:${String(sequence)}`, at_ms: slot.fromMs + sequence });
    const first = [at('a', 5), at('b', 5)].map((event) => ({ partition: 0, event }));
    const second = [at('a', 3), at('b', 4)].map((event) => ({ partition: 1, event }));
    expect(await opened().store.write([...first, ...second])).toEqual({ stored: 4, repeated: 0 });
    expect(await opened().store.write([...second, ...first])).toEqual({ stored: 0, repeated: 4 });
    expect(await found(slot)).toHaveLength(4);
  });
}

interface Deliveries {
  readonly slot: { readonly fromMs: number; readonly toMs: number };
  readonly events: readonly DecisionEvent[];
  readonly batches: readonly (readonly ReceivedEvent[])[];
  readonly tendAfter: number;
  readonly reopenAfter: number;
}

/** Partitions that are delivered in order, with steps back as after a crash, and runs of messages that a producer sent again later. */
function deliveries(): fc.Arbitrary<Deliveries> {
  return fc.constant(undefined).chain(() => {
    const slot = nextSlot();
    return fc
      .record({
        events: eventsIn(slot, { minLength: 1, maxLength: 60 }),
        steps: fc.array(fc.record({ partition: fc.nat({ max: 2 }), take: fc.integer({ min: 1, max: 20 }), back: fc.oneof(fc.constant(0), fc.nat({ max: 15 })), again: fc.boolean() }), { maxLength: 25 }),
        tendAfter: fc.nat({ max: 10 }),
        reopenAfter: fc.nat({ max: 30 }),
      })
      .map(({ events, steps, ...rest }) => ({ slot, events, batches: deliver(events, steps), ...rest }));
  });
}

function deliver(events: readonly DecisionEvent[], steps: readonly { readonly partition: number; readonly take: number; readonly back: number; readonly again: boolean }[]): ReceivedEvent[][] {
  const logs = [0, 1, 2].map((partition) => ({ partition, log: events.filter((_, index) => index % 3 === partition), next: 0 }));
  const batches: ReceivedEvent[][] = [];
  const last = logs.map(({ partition, log }) => ({ partition, take: log.length, back: 0, again: false }));
  for (const { partition, take, back, again } of [...steps, ...last]) {
    const one = logs[partition];
    if (one === undefined) continue;
    const first = Math.max(0, one.next - back);
    const batch = one.log.slice(first, first + take);
    one.next = Math.max(one.next, first + batch.length);
    batches.push([...batch, ...(again ? batch.slice(0, 2) : [])].map((event) => ({ partition, event })));
  }
  return batches;
}
