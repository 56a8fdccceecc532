import { quota } from '@sluice/algorithms';
import { takeAllCommand } from './take-all-command.js';

const perSecond = quota({ algorithm: 'gcra', limit: 10, windowMs: 1_000 });
const perDay = quota({ algorithm: 'fixed_window', limit: 9, calendar: { unit: 'day', timeZone: 'UTC' } });
const take = (key: string, need = 1, want = 1) => ({ key, quota: perSecond, need, want });

describe('R8 takeAllCommand', () => {
  it('sends a block of nine for each counter after the time', () => {
    const { keys, args } = takeAllCommand([take('a'), take('b|f', 2, 5)], 7);
    expect(keys).toEqual(['a', 'b']);
    expect(args).toEqual(['7', '', '6', '10', '1000', '10', '', '1', '1', '0', 'f', '6', '10', '1000', '10', '', '2', '5', '0']);
    expect(takeAllCommand([take('a')]).args[0]).toBe('');
  });

  it('asks again for a calendar that missed, with the same time', () => {
    const command = takeAllCommand([take('a'), { key: 'b', quota: perDay, need: 1, want: 1 }], 1_000);
    const again = command.again?.([Date.UTC(2027, 0, 1)]);
    expect(again?.args[0]).toBe('1000');
    expect(again?.args[15]?.split(',')).toContain(String(Date.UTC(2027, 0, 1)));
    expect(command.again?.([[0, 0, 0, 0, 0, 1, 0, 0]])).toBeUndefined();
  });

  it('refuses a key that comes twice, no counter at all, and what is no integer', () => {
    expect(() => takeAllCommand([take('a'), take('a')])).toThrow(RangeError);
    expect(() => takeAllCommand([])).toThrow(RangeError);
    expect(() => takeAllCommand([take('a', 0)])).toThrow(RangeError);
    expect(() => takeAllCommand([take('a', 2, 1)])).toThrow(RangeError);
    expect(() => takeAllCommand([take('a', 1.5, 0)])).toThrow(RangeError);
    expect(() => takeAllCommand([take('a')], 1.5)).toThrow(RangeError);
  });
});
