import { STANDARD_ATTRIBUTES, type DecisionEvent } from '@sluice/events';
import { requestAt, type TextColumn } from '@sluice/replay';
import fc from 'fast-check';
import type { DecisionFilter } from '../../src/store/decision-filter.js';
import type { DecisionPlace } from '../../src/store/decision-store.js';
import { eventsIn } from './arbitrary-event.js';
import type { ContractStore } from './contract-store.js';
import { expectedFind, expectedScan } from './oracle.js';
import { eventOf, limitOf } from './sample-events.js';
import { nextSlot, type Slot } from './slots.js';

/** Some events in a slot of their own, stored. */
export async function stored(opened: () => ContractStore, seed: number, length = 300): Promise<{ readonly slot: Slot; readonly events: readonly DecisionEvent[] }> {
  const slot = nextSlot();
  const [events = []] = fc.sample(eventsIn(slot, { minLength: length, maxLength: length }), { seed, numRuns: 1 });
  const half = Math.floor(events.length / 2);
  await opened().store.write(events.slice(0, half).map((event) => ({ partition: 0, event })));
  // Half of them where what is old lies, half where what is new does, where a store has both.
  await opened().store.tend(Date.now());
  await opened().store.write(events.slice(half).map((event) => ({ partition: 0, event })));
  return { slot, events };
}

/** Finding and scanning: exactly those of the filter, in order. */
export function finds(opened: () => ContractStore): void {
  let slot: Slot;
  let events: readonly DecisionEvent[];
  beforeAll(async () => {
    ({ slot, events } = await stored(opened, 83));
  });

  it('finds the newest first, equal times by event id', async () => {
    expect(await opened().store.find(slot, 10_000)).toEqual(expectedFind(events, slot, 10_000));
    expect(await opened().store.find(slot, 7)).toEqual(expectedFind(events, slot, 7));
  });

  it.each([1, 3, 50])('pages of %i give every event once', async (size) => {
    const filter: DecisionFilter = { ...slot, kinds: ['decision', 'shadow', 'unauthenticated'], ...(size === 1 ? { attributes: { key_id: 'k1' } } : {}) };
    const paged: DecisionEvent[] = [];
    let after: DecisionPlace | undefined;
    for (;;) {
      const page = await opened().store.find(filter, size, after);
      paged.push(...page);
      const last = page.at(-1);
      if (last === undefined || page.length < size) break;
      after = { atMs: last.at_ms, eventId: last.event_id };
    }
    expect(paged).toEqual(expectedFind(events, filter, Infinity));
  });

  it.each<readonly [string, Partial<DecisionFilter>]>([
    ['kind', { kinds: ['shadow'] }],
    ['several kinds', { kinds: ['unauthenticated', 'shadow'] }],
    ['no kind', { kinds: [] }],
    ['allowed', { allowed: true }],
    ['refused', { allowed: false }],
    ['rule, of any limit', { ruleId: 'login' }],
    ['a rule that none is of', { ruleId: 'ogin' }],
    ['region', { region: 'us' }],
    ['reason', { reason: 'quota' }],
    ['an empty attribute, which is not none', { attributes: { plan: '' } }],
    ['two attributes', { attributes: { plan: 'a', tenant_id: 'b' } }],
    ['all at once', { kinds: ['decision'], allowed: false, ruleId: 'search', region: 'eu', reason: 'ok', attributes: { key_id: 'k1' } }],
    ...STANDARD_ATTRIBUTES.map((name) => [name, { attributes: { [name]: name === 'key_id' ? 'k2' : name === 'endpoint' ? 'search' : 'a' } }] as const),
  ])('filters by %s', async (_, part) => {
    const filter = { ...slot, ...part };
    expect(await opened().store.find(filter, 10_000)).toEqual(expectedFind(events, filter, Infinity));
    expect(await scanned(filter)).toEqual(expectedScan(events, filter));
  });

  it('finds the one event with an id, of whatever kind, and none with an id that is none', async () => {
    for (const event of [events[0], events.at(-1)]) {
      const filter: DecisionFilter = { ...slot, kinds: ['decision', 'shadow', 'unauthenticated'], eventId: event?.event_id ?? '' };
      expect(await opened().store.find(filter, 10)).toEqual([event]);
    }
    expect(await opened().store.find({ ...slot, eventId: 'nobody:1' }, 10)).toEqual([]);
  });

  it('takes the start of a range and leaves its end', async () => {
    for (const [fromMs, toMs] of [[0, 0], [0, 1], [1, 1], [3_599_999, 3_600_000], [3_600_000, 3_600_001], [1, 3_600_000]] as const) {
      const filter = { fromMs: slot.fromMs + fromMs, toMs: slot.fromMs + toMs };
      expect(await opened().store.find(filter, 10_000)).toEqual(expectedFind(events, filter, Infinity));
    }
  });

  it('finds nothing where there is nothing, and none when none is wanted', async () => {
    expect(await opened().store.find({ fromMs: slot.toMs, toMs: slot.fromMs }, 10)).toEqual([]);
    expect(await opened().store.find({ fromMs: 10_000_000_000_000, toMs: 10_000_000_000_001 }, 10)).toEqual([]);
    expect(await opened().store.find(slot, 0)).toEqual([]);
    expect(await scanned({ fromMs: 10_000_000_000_000, toMs: 10_000_000_000_001 })).toEqual([]);
  });

  it('takes a rule in a text for a text', async () => {
    const own = nextSlot();
    const told = eventOf({ event_id: `${own.name}:1`, at_ms: own.fromMs, limits: [limitOf({ rule_id: 'x' }), limitOf({ rule_id: 'y', policy: '"rule_id":"z"', override_id: 'rule_id":"z' })] });
    await opened().store.write([{ partition: 0, event: told }]);
    expect(await opened().store.find({ ...own, ruleId: 'z' }, 10)).toEqual([]);
    expect(await opened().store.find({ ...own, ruleId: 'y' }, 10)).toEqual([told]);
    expect(await opened().store.find({ ...own, ruleId: 'Y' }, 10)).toEqual([]);
  });

  it('scans all, the oldest first, in chunks that are not empty', async () => {
    const sizes: number[] = [];
    for await (const chunk of opened().store.scan(slot)) sizes.push(chunk.length);
    expect(sizes.every((size) => size > 0)).toBe(true);
    expect(await scanned(slot)).toEqual(expectedScan(events, slot));
  });

  it('ends a scan when the caller does', async () => {
    for (let round = 0; round < 20; round += 1) {
      for await (const [first] of opened().store.scan(slot)) {
        expect(first).toEqual(expectedScan(events, slot)[0]);
        break;
      }
    }
    await expect((async () => { for await (const _ of opened().store.scan(slot)) throw new Error('the caller fails'); })()).rejects.toThrow('the caller fails');
    expect(await opened().store.find(slot, 1)).toHaveLength(1);
  });

  it('scans twice at once', async () => {
    const scans = await Promise.all([scanned(slot), scanned({ ...slot, allowed: false })]);
    expect(scans).toEqual([expectedScan(events, slot), expectedScan(events, { ...slot, allowed: false })]);
  });

  it.each<readonly [string, readonly string[]]>([
    ['standard attributes', ['plan', 'key_id', 'ip']],
    ['attributes without a column', ['endpoint', 'anything']],
    ['none', []],
  ])('scans by columns what is asked for, the oldest first: %s', async (_, names) => {
    const rows: unknown[] = [];
    for await (const columns of opened().store.scanColumns(slot, new Set(names))) {
      expect(columns.length).toBeGreaterThan(0);
      for (let row = 0; row < columns.length; row += 1) rows.push([`${textAt(columns.producer, row) ?? ''}:${columns.sequence[row] ?? ''}`, requestAt(columns, row)]);
    }
    const asked = ([name]: readonly [string, string]): boolean => names.includes(name) || (names.includes('anything') && !STANDARD_ATTRIBUTES.some((standard) => standard === name));
    const expected = expectedScan(events, slot).map((event): readonly [string, unknown] => {
      const { event_id, at_ms, cost, sampled_share, allowed, attributes, limits } = event;
      const request = { atMs: at_ms, cost, share: sampled_share, wasAllowed: allowed, refusedBy: allowed ? undefined : limits[0]?.rule_id, attributes: Object.fromEntries(Object.entries(attributes).filter(asked)) };
      return [event_id, request];
    });
    // Equal times in any order.
    expect(rows).toHaveLength(expected.length);
    expect(new Map(rows as [string, unknown][])).toEqual(new Map(expected));
    expect(rows.map((row) => atMsOf(row))).toEqual(expected.map((row) => atMsOf(row)));
  });

  async function scanned(filter: DecisionFilter): Promise<DecisionEvent[]> {
    const all: DecisionEvent[] = [];
    for await (const chunk of opened().store.scan(filter)) all.push(...chunk);
    return all;
  }
}

function textAt({ dictionary, codes }: TextColumn, row: number): string | undefined {
  return dictionary.textOf(codes[row] ?? 0);
}

function atMsOf(row: unknown): unknown {
  return (row as readonly [string, { readonly atMs: number }])[1].atMs;
}
