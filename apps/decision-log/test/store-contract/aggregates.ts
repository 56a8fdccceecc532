import type { DecisionEvent } from '@sluice/events';
import type { Aggregate, AggregateOrder, AggregateRow, Dimension } from '../../src/store/aggregate.js';
import type { ContractStore } from './contract-store.js';
import { stored } from './finds.js';
import { expectedAggregate } from './oracle.js';
import { eventOf } from './sample-events.js';
import { nextSlot, type Slot } from './slots.js';

const DIMENSIONS: readonly Dimension[] = ['domain', 'plan', 'endpoint', 'key_id', 'tenant_id', 'user_id', 'ip', 'rule_id', 'rule_version', 'region', 'node_id', 'kind', 'reason', 'source'];
const ALL = ['decision', 'shadow', 'unauthenticated'] as const;

/** Sums: each group and bucket that there is, and no other. */
export function aggregates(opened: () => ContractStore): void {
  let slot: Slot;
  let events: readonly DecisionEvent[];
  beforeAll(async () => {
    ({ slot, events } = await stored(opened, 84, 500));
  });

  async function check(query: Partial<Aggregate>, among = events): Promise<void> {
    const whole: Aggregate = { filter: { ...slot, kinds: ALL }, groupBy: [], limit: 10_000, ...query };
    expect(await opened().store.aggregate(whole)).toEqual(expectedAggregate(among, whole));
  }

  it('sums all in one row without groups, weighted by sampling', () => check({}));
  it('counts decisions alone unless told otherwise', () => check({ filter: slot }));
  it.each(DIMENSIONS)('groups by %s, with null for events that lack it', (dimension) => check({ groupBy: [dimension] }));
  it('groups by several', () => check({ groupBy: ['plan', 'rule_id', 'kind'] }));
  it('groups by all', () => check({ groupBy: DIMENSIONS }));
  it('groups by one twice', () => check({ groupBy: ['plan', 'plan'] }));
  it.each([1, 1_000, 60_000, 420_000, 3_600_000, 86_400_000])('buckets of %i ms, aligned to the epoch', (bucketMs) => check({ bucketMs, groupBy: ['region'] }));
  it('counts different keys', () => check({ groupBy: ['plan'], bucketMs: 3_600_000, distinctKeys: true }));
  it.each<AggregateOrder>(['requests', 'refused', 'distinct_keys'])('orders by %s, then by bucket and group', async (orderBy) => {
    await check({ groupBy: ['key_id', 'region'], orderBy });
    await check({ groupBy: ['key_id'], bucketMs: 3_600_000, orderBy, limit: 5, distinctKeys: true });
  });
  it.each<AggregateOrder>(['requests', 'refused', 'distinct_keys'])('leaves out groups below so many %s', async (measure) => {
    await check({ groupBy: ['endpoint', 'region'], atLeast: { measure, value: 2 } });
    await check({ groupBy: ['endpoint', 'region'], atLeast: { measure, value: 2.5 }, orderBy: 'requests', limit: 3 });
    await check({ groupBy: ['endpoint'], atLeast: { measure, value: 1e15 } });
    await check({ atLeast: { measure, value: 1 } });
  });
  it('gives at most so many', () => check({ groupBy: ['endpoint'], limit: 2 }));
  it.each<[readonly Dimension[], number | undefined]>([
    [['endpoint'], undefined],
    [['key_id'], 3_600_000],
    [['plan', 'tenant_id'], 86_400_000],
    [[], 60_000],
  ])('goes on after each row, by %j in buckets of %s ms', async (groupBy, bucketMs) => {
    const query: Aggregate = { filter: { ...slot, kinds: ALL }, groupBy, ...(bucketMs !== undefined && { bucketMs }), limit: 3 };
    const rows: AggregateRow[] = [];
    for (let page: readonly AggregateRow[] = await opened().store.aggregate(query); page.length > 0; ) {
      rows.push(...page);
      const last = page.at(-1);
      page = await opened().store.aggregate({ ...query, ...(last !== undefined && { after: last }) });
    }
    expect(rows.length).toBeGreaterThan(3);
    expect(rows).toEqual(expectedAggregate(events, { ...query, limit: Infinity }));
  });
  it('filters as find does', async () => {
    await check({ filter: { ...slot, ruleId: 'login', allowed: false }, groupBy: ['rule_id'] });
    await check({ filter: { ...slot, kinds: ['shadow'], attributes: { plan: '' } }, groupBy: ['reason'] });
  });
  it('has no row where there is nothing', async () => {
    const nothing = { fromMs: slot.fromMs, toMs: slot.fromMs };
    await check({ filter: nothing });
    await check({ filter: nothing, groupBy: ['plan'], bucketMs: 1_000 });
    await check({ filter: { ...slot, kinds: [] } });
    await check({ limit: 0 });
  });

  it('buckets over a change of clocks and over the first second of a year as over any other time', async () => {
    const own = nextSlot();
    const years = [...new Set([new Date(own.fromMs).getUTCFullYear(), new Date().getUTCFullYear()])];
    const edges = years.flatMap((year) => [Date.UTC(year, 2, 29, 1), Date.UTC(year, 9, 25, 1), Date.UTC(year, 0, 1)]).filter((edgeMs) => edgeMs < Date.now());
    const around = edges.flatMap((edgeMs) => [-3_600_001, -1, 0, 1, 3_599_999, 3_600_000, 86_400_000 - 1].map((offset) => edgeMs + offset));
    const others = around.sort((a, b) => a - b).map((atMs, index) => eventOf({ event_id: `${own.name}:${String(index)}`, at_ms: atMs, attributes: { tenant_id: own.name } }));
    await opened().store.write(others.map((event) => ({ partition: 0, event })));
    const filter = { fromMs: 0, toMs: Date.now(), attributes: { tenant_id: own.name } };
    for (const bucketMs of [3_600_000, 86_400_000, 7 * 86_400_000]) await check({ filter, bucketMs }, others);
  });

  it('estimates what was sampled at any share, with the variance of it', async () => {
    const own = nextSlot();
    const others = Array.from({ length: 1_000 }, (_, index) =>
      eventOf({ event_id: `${own.name}:${String(index)}`, at_ms: own.fromMs + index, sampled_share: index % 10 === 0 ? 1 : 0.01, allowed: index % 10 !== 0, cost: index % 7 }),
    );
    await opened().store.write(others.map((event) => ({ partition: 0, event })));
    const query: Aggregate = { filter: own, groupBy: [], limit: 1 };
    const [row] = await opened().store.aggregate(query);
    const [expected] = expectedAggregate(others, query);
    for (const name of ['events', 'requests', 'allowed', 'refused', 'allowedCost', 'cost', 'variance'] as const) {
      expect(Math.abs((row?.[name] ?? 0) / (expected?.[name] ?? 1) - 1)).toBeLessThan(1e-9);
    }
    expect(row).toMatchObject({ refused: 100, events: 1_000 });
    expect(Math.round(row?.requests ?? 0)).toBe(90_100);
  });

  it('sums what no integer of 32 bits holds', async () => {
    const own = nextSlot();
    const others = Array.from({ length: 4 }, (_, index) => eventOf({ event_id: `${own.name}:${String(index)}`, at_ms: own.fromMs, cost: 2 ** 50, sampled_share: 0.25 }));
    await opened().store.write(others.map((event) => ({ partition: 0, event })));
    await check({ filter: own }, others);
  });
}
