import { quota } from '@sluice/algorithms';
import { takeSlidingCounter } from '../generated/take-sliding-counter.js';
import { peekCommand, takeCommand } from './take-command.js';

const perMinute = quota({ limit: 100, windowMs: 60_000 });
const perDay = quota({ algorithm: 'fixed_window', limit: 9, calendar: { unit: 'day', timeZone: 'UTC' } });

describe('takeCommand', () => {
  it('names what it sends as the script does', () => {
    const { script, keys, args } = takeCommand('g|f', perMinute, 2, 50, { giveBack: { amount: 7, bucket: 3 }, nowMs: 9 });
    expect(script).toBe(takeSlidingCounter);
    expect(keys).toEqual(['g']);
    expect(Object.fromEntries(script.args.map((name, i) => [name, args[i]]))).toEqual({
      field: 'f', limit: '100', window_ms: '60000', sub_buckets: '1', need: '2', want: '50', charge_denied: '0', back_amount: '7', back_bucket: '3', now: '9',
    });
  });

  it('sends no more than it must', () => {
    expect(takeCommand('k', perMinute, 1, 1).args).toEqual(['', '100', '60000', '1', '1', '1', '0']);
    expect(takeCommand('k', perMinute, 1, 1, { giveBack: { amount: 1, bucket: 0 } }).args).toHaveLength(9);
    expect(takeCommand('k', perMinute, 1, 1, { nowMs: 5 }).args.slice(7)).toEqual(['', '', '5']);
  });

  it('R13 sends a log as a key of its own, and the others as a group and a field', () => {
    const log = quota({ algorithm: 'sliding_log', limit: 5, windowMs: 1_000 });
    expect(takeCommand('g|f', log, 1, 1)).toMatchObject({ keys: ['g|f'], args: ['5', '1000', '1', '1', '0'] });
    expect(takeCommand('g|f|h', perMinute, 1, 1)).toMatchObject({ keys: ['g'], args: ['f|h', '100', '60000', '1', '1', '1', '0'] });
  });

  it('R9 a peek wants nothing', () => {
    expect(peekCommand('k', perMinute, 0).args.slice(4, 6)).toEqual(['0', '0']);
    expect(peekCommand('k', perMinute, 7).args.slice(4, 6)).toEqual(['7', '0']);
  });

  it.each([0, -1, 1.5, NaN, Infinity, 2 ** 53])('known failure 13: refuses a need of %d', (need) => {
    expect(() => takeCommand('k', perMinute, need, 2 ** 53 - 1)).toThrow(RangeError);
  });

  it.each([1, 2.5, NaN, -3])('known failure 13: refuses a want of %d for a need of 2', (want) => {
    expect(() => takeCommand('k', perMinute, 2, want)).toThrow(RangeError);
  });

  it('refuses a cost, a give-back or a time that is no integer', () => {
    expect(() => peekCommand('k', perMinute, -1)).toThrow(RangeError);
    expect(() => takeCommand('k', perMinute, 1, 1, { giveBack: { amount: 0.5, bucket: 0 } })).toThrow(RangeError);
    expect(() => takeCommand('k', perMinute, 1, 1, { giveBack: { amount: 1, bucket: NaN } })).toThrow(RangeError);
    expect(() => takeCommand('k', perMinute, 1, 1, { nowMs: -1 })).toThrow(RangeError);
  });

  it('asks again, once, with the boundaries around the time that the script names', () => {
    const noon = Date.UTC(2026, 5, 15, 12);
    const command = takeCommand('k', perDay, 1, 1, { nowMs: noon });
    const farOff = Date.UTC(2027, 0, 1);
    const again = command.again?.([farOff]);
    expect(again?.args[3]?.split(',')).toContain(String(farOff));
    expect(again?.args.slice(4)).toEqual(command.args.slice(4));
    expect(again?.again).toBeUndefined();
    expect(command.again?.([0, 0, 0, 0, 0, 1, 0, 0])).toBeUndefined();
    expect(takeCommand('k', perMinute, 1, 1).again).toBeUndefined();
  });
});
