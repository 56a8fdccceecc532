import { applyDelta, atOnce, canonicalText, type Snapshot, snapshotChecksum, validateDelta } from '@sluice/rules';
import fc from 'fast-check';
import { buildState } from './build-state.js';
import { SNAPSHOT_SOURCES, type SnapshotSource } from './snapshot-source.js';
import type { SnapshotChanges } from './snapshot-reader.js';
import type { SnapshotState } from './snapshot-state.js';

const EPOCH = '0123456789ab';
const KINDS = ['plan', 'rule', 'override'] as const;
type Kind = (typeof KINDS)[number];

const sourceOf = (kind: Kind): SnapshotSource => {
  const found = SNAPSHOT_SOURCES.find((source) => source.kind === kind);
  if (found === undefined) throw new Error(kind);
  return found;
};

const jsonOf: Readonly<Record<Kind, (id: string, value: number) => object>> = {
  plan: (id, value) => ({ plan_id: id, version: value, name: `Größe "${value}"\\` }),
  rule: (id, value) => ({ rule_id: id, version: value, limit: value, window_seconds: 60, endpoint: `/${id}`, descriptors: { b: '*', a: `${value}`, 10: 'x', 9: 'y' } }),
  override: (id, value) => ({ override_id: id, rule_id: 'r', key_id: 'k', limit: value, expires_at: '2027-01-01T00:00:00.000Z' }),
};

/** Tables as the database has them: rows and tombstones with the version of their last change. */
class Tables {
  version = 0;
  forgotten = 0;
  private readonly rows = new Map<string, { readonly kind: Kind; readonly id: string; readonly at: number; readonly json: object | undefined }>();

  constructor() {
    this.write('rule', 'r', 1);
  }

  write(kind: Kind, id: string, value: number | undefined): void {
    if (value === undefined && this.rows.get(`${kind} ${id}`)?.json === undefined) return;
    this.version += 1;
    this.rows.set(`${kind} ${id}`, { kind, id, at: this.version, json: value === undefined ? undefined : jsonOf[kind](id, value) });
  }

  forget(): void {
    this.forgotten = this.version;
    for (const [key, { json }] of this.rows) if (json === undefined) this.rows.delete(key);
  }

  changesSince(held: SnapshotState | undefined): SnapshotChanges {
    const since = held !== undefined && held.version >= this.forgotten ? held.version : undefined;
    const after = [...this.rows.values()].filter(({ at }) => at > (since ?? -1));
    const changes = KINDS.map((kind) => ({
      source: sourceOf(kind),
      items: after.flatMap(({ kind: of, id, at, json }) => (of === kind && json !== undefined ? [{ id, changedAt: at, text: canonicalText(json) }] : [])),
      deletions: after.flatMap(({ kind: of, id, at, json }) => (of === kind && json === undefined ? [{ id, changedAt: at }] : [])),
    }));
    return { version: this.version, epoch: EPOCH, published: undefined, since, deletionsForgottenUpTo: this.forgotten, changes };
  }

  build(held: SnapshotState | undefined): SnapshotState {
    return atOnce(buildState(held, this.changesSince(held)));
  }
}

async function wholeOf(state: SnapshotState): Promise<Snapshot> {
  return JSON.parse((await state.whole()).plain.toString()) as Snapshot;
}

const write = fc.record({ kind: fc.constantFrom(...KINDS), id: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'), value: fc.option(fc.integer({ min: 1, max: 1000 }), { nil: undefined, freq: 2 }) });
const step = fc.oneof({ weight: 12, arbitrary: write }, { weight: 4, arbitrary: fc.constant('build' as const) }, { weight: 1, arbitrary: fc.constant('forget' as const) });

describe('R54 building from what changed', () => {
  it('comes to the same as building from everything, with the checksum that nodes compute; every older version gets there by its changes or is sent the whole', async () => {
    let deltas = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 60 }), async (steps) => {
        const tables = new Tables();
        const history: Snapshot[] = [];
        let state: SnapshotState | undefined;
        for (const each of steps) {
          if (each === 'forget') tables.forget();
          else if (each !== 'build') tables.write(each.kind, each.id, each.value);
          else {
            state = tables.build(state);
            const fromEverything = tables.build(undefined);
            const whole = await wholeOf(state);
            expect(whole).toEqual(await wholeOf(fromEverything));
            expect([state.checksum, state.checksum]).toEqual([fromEverything.checksum, snapshotChecksum(whole)]);
            history.push(whole);
            for (const held of history) {
              const body = state.deltaSince(held.version);
              if (body === undefined) continue;
              const delta = validateDelta(JSON.parse(body.plain.toString()));
              const applied = delta.ok ? applyDelta(held, delta.value) : delta;
              if (!applied.ok) throw new Error(JSON.stringify(applied.faults));
              expect(snapshotChecksum(applied.value)).toBe(state.checksum);
              deltas += 1;
            }
          }
        }
      }),
      { seed: 54, numRuns: 200 },
    );
    expect(deltas).toBeGreaterThan(500);
  });

  it('gives no changes since a version whose deletions may have been forgotten', () => {
    const tables = new Tables();
    tables.write('rule', 'a', 1);
    tables.write('rule', 'b', 1);
    tables.write('rule', 'a', undefined);
    tables.forget();
    tables.write('rule', 'd', 1);
    const state = tables.build(undefined);
    expect(state.deltaSince(3)).toBeUndefined();
    expect(JSON.parse(String(state.deltaSince(4)?.plain))).toMatchObject({ since: 4, deleted_rules: [], rules: [{ rule_id: 'd' }] });
  });
});

describe('R54 a part of many items', () => {
  it('has the checksum that nodes compute, whatever the order in which they came', async () => {
    const tables = new Tables();
    for (let at = 0; at < 7_000; at += 1) tables.write('override', `o${(at * 7_919) % 7_000}`, 1 + ((at * 31) % 1_000));
    const state = tables.build(undefined);
    expect(state.checksum).toBe(snapshotChecksum(await wholeOf(state)));
  });
});
