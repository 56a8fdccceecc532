import { quota } from '@sluice/algorithms';
import { chargeGcra } from '../generated/charge-gcra.js';
import { chargeCommand } from './charge-command.js';

const perMinute = quota({ algorithm: 'gcra', limit: 100, windowMs: 60_000, burst: 20 });
const perDay = quota({ algorithm: 'fixed_window', limit: 9, calendar: { unit: 'day', timeZone: 'UTC' } });

describe('R14 chargeCommand', () => {
  it('names what it sends as the script does', () => {
    const { script, keys, args } = chargeCommand('g|f', perMinute, 250, { onlyIfAbsent: true, nowMs: 9 });
    expect(script).toBe(chargeGcra);
    expect(keys).toEqual(['g']);
    expect(Object.fromEntries(script.args.map((name, i) => [name, args[i]]))).toEqual({
      field: 'f', limit: '100', window_ms: '60000', burst: '20', amount: '250', only_if_absent: '1', now: '9',
    });
    expect(chargeCommand('g|f', perMinute, 1).args).toEqual(['f', '100', '60000', '20', '1', '0']);
  });

  it('R10 asks again when its calendar does not hold the time of the store', () => {
    const day = Date.UTC(2026, 10, 30);
    const first = chargeCommand('k', perDay, 1, { nowMs: day });
    const again = first.again?.([day + 10 * 86_400_000]);
    expect(again?.args[3]).toContain(String(day + 10 * 86_400_000));
    expect(again?.args.slice(4)).toEqual(first.args.slice(4));
    expect(first.again?.([1, 2, 3, 4, 5, 6, 7, 8])).toBeUndefined();
  });

  it('known failure 13: throws for what is no amount', () => {
    for (const bad of [-1, 1.5, Number.NaN, 2 ** 53]) expect(() => chargeCommand('k', perMinute, bad)).toThrow(RangeError);
  });
});
