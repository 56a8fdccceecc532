import { quota } from '@sluice/algorithms';
import { compileRule } from '@sluice/rules';
import fc from 'fast-check';
import { CounterHash } from './counter-hash.js';
import { Lease } from './lease.js';
import { LiveLeases } from './live-leases.js';
import { Segment } from './segment.js';
import { TermsBook } from './terms-book.js';

const rule = compileRule({ rule_id: 'r', version: 1, limit: 5, window_seconds: 60 });
const terms = new TermsBook(new CounterHash(), 's').of({ rule, quota: quota({ algorithm: 'fixed_window', limit: 5, windowMs: 60_000 }), overrideId: undefined });
const segment = new Segment(0, () => 1, 1, 0);

const leaseOf = (entry: number): Lease => new Lease(entry, `k${entry}`, segment, 0, terms);

/** Few entries that meet often, some next to each other, and the greatest of a table. */
const entry = fc.oneof(fc.nat(40), fc.integer({ min: 0, max: 15_728_637 }));
const operation = fc.record({ what: fc.constantFrom('set', 'set', 'set', 'delete', 'delete', 'get'), entry });

describe('R30 lease objects by entry', () => {
  it('finds what a map would find, whatever comes and goes', () => {
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 600, size: 'max' }), (operations) => {
        const live = new LiveLeases();
        const model = new Map<number, Lease>();
        for (const { what, entry: at } of operations) {
          if (what === 'set') {
            const lease = leaseOf(at);
            live.set(at, lease);
            model.set(at, lease);
          } else if (what === 'delete') {
            live.delete(at);
            model.delete(at);
          }
          if (live.get(at) !== model.get(at)) throw new Error(`entry ${at} is not what it should be`);
        }
        for (const [at, lease] of model) if (live.get(at) !== lease) throw new Error(`entry ${at} is lost`);
        expect(live.size).toBe(model.size);
      }),
      { seed: 30, numRuns: 200 },
    );
  });

  it('grows and shrinks with nothing lost', () => {
    const live = new LiveLeases();
    const leases = Array.from({ length: 10_000 }, (_, at) => leaseOf(at * 7));
    for (const lease of leases) live.set(lease.entry, lease);
    for (const [at, lease] of leases.entries()) if (at % 50 !== 0) live.delete(lease.entry);
    expect(live.size).toBe(200);
    expect(leases.filter((lease) => live.get(lease.entry) === lease).map((lease) => lease.entry % 350)).toEqual(new Array(200).fill(0));
  });

  it('has nothing for an entry that was lost', () => {
    const live = new LiveLeases();
    live.delete(-1);
    expect([live.get(-1), live.size]).toEqual([undefined, 0]);
  });
});
