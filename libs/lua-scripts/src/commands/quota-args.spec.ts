import { ALGORITHMS, calendarBoundaries, quota } from '@sluice/algorithms';
import { blockOf, headOf, quotaArgs } from './quota-args.js';
import { takeAll } from '../generated/take-all.js';

const month = quota({ algorithm: 'fixed_window', limit: 10, calendar: { unit: 'month', timeZone: 'Europe/Berlin' } });

/** Without the field, of which a log has none. */
const own = (args: readonly string[]): readonly string[] => args.filter((name) => name !== 'field');

describe('quotaArgs', () => {
  it('are made once for a quota', () => {
    const q = quota({ limit: 5, windowMs: 1000 });
    expect(quotaArgs(q)).toBe(quotaArgs(q));
    expect(headOf(quotaArgs(q))).toBe(headOf(quotaArgs(q)));
  });

  it.each(ALGORITHMS)('%s: fill exactly the first slots that its scripts name', (algorithm) => {
    const args = quotaArgs(quota({ algorithm, limit: 5, windowMs: 1000 }));
    const head = headOf(args);
    expect(own(args.take.args).slice(head.length, head.length + 3)).toEqual(['need', 'want', 'charge_denied']);
    expect(own(args.refund.args).slice(head.length)).toEqual(['amount', 'charged_to', 'now']);
    expect(head.slice(0, 2)).toEqual(['5', '1000']);
    expect(takeAll.args.slice(2, 2 + blockOf(args).length)).toEqual(['algorithm', 'limit', 'window_ms', 'burst', 'detail']);
  });

  it.each([
    [{ algorithm: 'fixed_window', limit: 5, windowMs: 1000 }, ['5', '1000', ''], ['1', '5', '1000', '5', '']],
    [{ algorithm: 'sliding_log', limit: 5, windowMs: 1000 }, ['5', '1000'], ['2', '5', '1000', '5', '']],
    [{ algorithm: 'sliding_counter', limit: 5, windowMs: 1000, subBuckets: 4 }, ['5', '1000', '4'], ['3', '5', '1000', '5', '4']],
    [{ algorithm: 'token_bucket', limit: 5, windowMs: 1000, burst: 9 }, ['5', '1000', '9'], ['4', '5', '1000', '9', '']],
    [{ algorithm: 'leaky_bucket', limit: 5, windowMs: 1000, burst: 9 }, ['5', '1000', '9', '0'], ['5', '5', '1000', '9', '']],
    [{ algorithm: 'leaky_bucket', limit: 5, windowMs: 1000, burst: 9, shape: true }, ['5', '1000', '9', '1'], ['5', '5', '1000', '9', '1']],
    [{ algorithm: 'gcra', limit: 5, windowMs: 1000, burst: 9 }, ['5', '1000', '9'], ['6', '5', '1000', '9', '']],
  ] as const)('of %j', (input, head, block) => {
    const args = quotaArgs(quota(input));
    expect(headOf(args)).toEqual(head);
    expect(blockOf(args)).toEqual(block);
  });

  it('write the greatest integers in full', () => {
    const args = quotaArgs(quota({ algorithm: 'token_bucket', limit: Number.MAX_SAFE_INTEGER, windowMs: 31_622_400_000, burst: 2 ** 53 - 1 }));
    expect(headOf(args)).toEqual(['9007199254740991', '31622400000', '9007199254740991']);
  });

  it('of a calendar carry the six boundaries around the caller, and follow it', () => {
    const march = Date.UTC(2026, 2, 31, 23);
    const text = calendarBoundaries(month.calendar!, march).join(',');
    expect(headOf(quotaArgs(month), march)).toEqual(['10', String(31 * 86_400_000), text]);
    expect(blockOf(quotaArgs(month), march)).toEqual(['1', '10', String(31 * 86_400_000), '10', text]);
    expect(headOf(quotaArgs(month), Date.UTC(2026, 8, 1))).not.toEqual(headOf(quotaArgs(month), march));
  });
});
