import { quota } from '@sluice/algorithms';
import { compileRule } from '@sluice/rules';
import fc from 'fast-check';
import { CounterHash } from './counter-hash.js';
import { LAST_USED } from './entry-words.js';
import { LeaseTable } from './lease-table.js';
import { SEGMENT_ENTRIES } from './segment.js';
import type { Kind } from './terms.js';
import { TermsBook } from './terms-book.js';

const NOW = 1_767_225_600_000;

function fixture(maxKeys: number) {
  const book = new TermsBook(new CounterHash(), 's');
  const busy = new Set<number>();
  const table = new LeaseTable(maxKeys, book, { keeps: (entry) => busy.has(entry), leaves: () => undefined });
  const kinds = ['r1', 'r2'].flatMap((rule_id) =>
    [5, 7].map((limit) => {
      const rule = compileRule({ rule_id, version: 1, limit, window_seconds: 60 });
      return book.of({ rule, quota: quota({ algorithm: 'sliding_counter', limit, windowMs: 60_000 }), overrideId: undefined }).kind;
    }),
  );
  const use = (entry: number, nowMs: number): void => {
    const segment = table.slab.segment(entry);
    if (segment !== undefined) segment.words[table.slab.base(entry) + LAST_USED] = nowMs - segment.epochMs;
  };
  return { book, table, busy, kinds, use };
}

function mixed(at: number): number {
  return Math.imul(at, 0x9e3779b1);
}

/** Hashes from few values, so that probes run into each other and into other rules' counters with the same hash. */
const operation = fc.record({
  what: fc.constantFrom('add', 'add', 'add', 'remove', 'find', 'rename'),
  low: fc.constantFrom(0, 1, 2, -1, -2, 0x7fffffff, -0x80000000, 1000, 2000, 3000),
  high: fc.integer({ min: -8, max: 8 }),
  kind: fc.nat(3),
});

describe('R30 the table of counters', () => {
  it('finds what a map would find, whatever comes and goes', () => {
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 400, size: 'max' }), (operations) => {
        const { table, kinds } = fixture(10_000);
        const model = new Map<string, { entry: number; kind: Kind }>();
        for (const { what, low, high, kind: at } of operations) {
          const kind = kinds[at];
          if (kind === undefined) continue;
          const name = `${kind.counting.identity} ${low} ${high}`;
          const known = model.get(name);
          if (table.find(low, high, kind) !== (known?.entry ?? -1)) throw new Error(`${name} is not found where it should be`);
          if (what === 'add' && known === undefined) {
            model.set(name, { entry: table.add(low, high, kind, NOW), kind });
          } else if (what === 'remove' && known !== undefined) {
            table.remove(known.entry);
            model.delete(name);
          } else if (what === 'rename' && known !== undefined) {
            table.rename(known.entry, known.kind, kind);
            known.kind = kind;
          }
        }
        expect(table.size).toBe(model.size);
        for (const { entry, kind } of model.values()) expect(table.kindNumber(entry)).toBe(kind.number);
        for (const kind of kinds) expect(kind.entries).toBe([...model.values()].filter((each) => each.kind === kind).length);
        expect(kinds.map(({ counting }) => counting.keys)).toEqual(
          kinds.map(({ counting }) => [...model.values()].filter((each) => each.kind.counting === counting).length),
        );
      }),
      { seed: 30, numRuns: 300 },
    );
  });

  it('grows to 200,000 keys and shrinks again, losing none; 64 bytes each at most, from when it has some', () => {
    const { table, kinds, book } = fixture(200_000);
    const [kind] = kinds;
    if (kind === undefined) throw new Error('no kind');
    const hash = new CounterHash(1, 2);
    const seed = hash.seedOf('r');
    const find = (at: number): number => {
      hash.ofOne(seed, `k${at}`);
      return table.find(hash.low, hash.high, kind);
    };
    const entries: number[] = [];
    for (let at = 0; at < 200_000; at += 1) {
      hash.ofOne(seed, `k${at}`);
      entries.push(table.add(hash.low, hash.high, kind, NOW));
    }
    expect(entries.every((entry, at) => find(at) === entry)).toBe(true);
    expect(new Set(entries).size).toBe(200_000);
    expect(table.bytes / table.size).toBeLessThan(64);
    for (let at = 0; at < 200_000; at += 1) if (at % 1000 !== 7) table.remove(entries[at] ?? -1);
    expect(table.size).toBe(200);
    for (let at = 0; at < 200_000; at += 1) if (find(at) !== (at % 1000 === 7 ? entries[at] : -1)) throw new Error(`key ${at} is lost or left behind`);
    for (let at = 7; at < 200_000; at += 1000) table.remove(entries[at] ?? -1);
    expect(table.size).toBe(0);
    // What is left is one empty segment or two, and the smallest index.
    expect(table.bytes).toBeLessThan(3_000_000);
    expect(book.kind(kind.number)?.entries).toBe(0);
  });

  it('lets go, when full, what was not used for long, and never what is at work', () => {
    const { table, kinds, busy, use } = fixture(1_000);
    const [kind] = kinds;
    if (kind === undefined) throw new Error('no kind');
    for (let at = 0; at < 1_000; at += 1) use(table.add(mixed(at), at, kind, NOW), NOW + at);
    const pinned = table.find(mixed(0), 0, kind);
    busy.add(pinned);
    let nowMs = NOW + 1_000;
    for (let at = 1_000; at < 20_000; at += 1) {
      nowMs += 1;
      // Ten keys stay in use.
      for (let key = 1; key <= 10; key += 1) use(table.find(mixed(key), key, kind), nowMs);
      use(table.add(mixed(at), at, kind, nowMs), nowMs);
      if (table.size > 1_000) throw new Error('the table is too large');
    }
    expect(table.find(mixed(0), 0, kind)).toBe(pinned);
    for (let key = 1; key <= 10; key += 1) expect(table.find(mixed(key), key, kind)).toBeGreaterThanOrEqual(0);
    // Of the newest third of what fits nothing had to go: the sample finds older ones.
    const kept = Array.from({ length: 333 }, (_, at) => table.find(mixed(19_999 - at), 19_999 - at, kind)).filter((entry) => entry >= 0).length;
    expect(kept).toBeGreaterThan(320);
    expect(kind.counting.keys).toBe(table.size);
  });

  it('knows after many evictions which of its memory has room', () => {
    // Two segments are full, and nothing ever leaves the third one, which has room.
    const inTwo = 2 * SEGMENT_ENTRIES;
    const { table, kinds, use, busy } = fixture(inTwo + 4);
    const [kind] = kinds;
    if (kind === undefined) throw new Error('no kind');
    const add = (at: number): void => {
      const entry = table.add(mixed(at), Math.imul(mixed(at) ^ 0x5bd1e995, at | 1), kind, NOW);
      use(entry, NOW + at);
      if (entry >= inTwo) busy.add(entry);
    };
    for (let at = 0; at < 150_000; at += 1) add(at);
    const { size } = table;
    expect(size).toBeLessThan(inTwo + 200);
    for (let entry = 0; entry < inTwo; entry += 1) busy.add(entry);
    add(150_000);
    expect(table.size).toBe(size + 1);
  });

  it('exceeds its bound rather than to lose what is at work', () => {
    const { table, kinds, busy } = fixture(10);
    const [kind] = kinds;
    if (kind === undefined) throw new Error('no kind');
    for (let at = 0; at < 30; at += 1) busy.add(table.add(at, at, kind, NOW));
    expect(table.size).toBe(30);
    busy.clear();
    for (let at = 30; at < 60; at += 1) table.add(at, at, kind, NOW);
    expect(table.size).toBe(30);
    table.tick(NOW + 61_000, 2_000);
    expect(table.size).toBe(0);
  });
});
