import { unboxed } from './unboxed.js';

describe('unboxed', () => {
  it.each([0, 1, -1, 2 ** 31 - 1, 2 ** 31, -(2 ** 31), -(2 ** 31) - 1, 2 ** 32, 1.5, 2 ** 53 - 1, Infinity, -Infinity, NaN])('changes no number: %d', (value) => {
    expect(unboxed(value)).toBe(value);
  });

  it('knows one zero', () => {
    expect(unboxed(-0)).toBe(0);
  });
});
