import { responseUnit } from './response-unit.js';

const DAY = 86_400;

describe('R73 current_limit has a unit', () => {
  it.each([
    [1, 'SECOND'],
    [60, 'MINUTE'],
    [3600, 'HOUR'],
    [DAY, 'DAY'],
    [7 * DAY, 'WEEK'],
    [30 * DAY, 'MONTH'],
    [31 * DAY, 'MONTH'],
    [365 * DAY, 'YEAR'],
    [366 * DAY, 'YEAR'],
  ])('its own for a window of %d s: %s', (seconds, unit) => {
    expect(responseUnit(seconds * 1000)).toBe(unit);
  });

  it.each([
    [0.1, 'SECOND'],
    [7, 'SECOND'],
    [8, 'MINUTE'],
    [10, 'MINUTE'],
    [300, 'MINUTE'],
    [600, 'HOUR'],
    [4 * 3600, 'HOUR'],
    [6 * 3600, 'DAY'],
    [2 * DAY, 'DAY'],
    [3 * DAY, 'WEEK'],
    [14 * DAY, 'WEEK'],
    [15 * DAY, 'MONTH'],
    [90 * DAY, 'MONTH'],
    [120 * DAY, 'YEAR'],
  ])('deviation: the nearest for a window of %d s: %s', (seconds, unit) => {
    expect(responseUnit(seconds * 1000)).toBe(unit);
  });
});
