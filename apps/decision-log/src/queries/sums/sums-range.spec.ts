import { ProblemException } from '@sluice/platform';
import { sumsRange } from './sums-range.js';

const NOW = Date.parse('2026-11-30T12:00:00Z');

describe('R82 ranges of sums', () => {
  it.each<[object, string, string]>([
    [{}, '2026-11-30T11:00:00.001Z', '2026-11-30T12:00:00.001Z'],
    [{ from: '2026-11-30T10:00:00Z' }, '2026-11-30T10:00:00.000Z', '2026-11-30T12:00:00.001Z'],
    [{ to: '2026-11-01T00:00:00Z' }, '2026-10-31T23:00:00.000Z', '2026-11-01T00:00:00.000Z'],
    [{ from: '2026-10-30T12:00:00+00:00', to: '2026-11-30T12:00:00Z' }, '2026-10-30T12:00:00.000Z', '2026-11-30T12:00:00.000Z'],
    [{ from: '2026-11-30T12:00:00Z', to: '2026-12-30T00:00:00Z' }, '2026-11-30T12:00:00.000Z', '2026-12-30T00:00:00.000Z'],
  ])('%j', (query, from, to) => {
    const { fromMs, toMs } = sumsRange(query, NOW);
    expect([new Date(fromMs).toISOString(), new Date(toMs).toISOString()]).toEqual([from, to]);
  });

  it.each<[object, string, string]>([
    [{ from: '2026-11-30T12:00:00.001Z' }, '/query/from', 'in the future'],
    [{ from: '2026-12-01T00:00:00Z', to: '2026-12-02T00:00:00Z' }, '/query/from', 'in the future'],
    [{ to: '2026-12-02T00:00:00Z' }, '/query/to', 'in the future'],
    [{ from: '2026-11-29T00:00:00Z', to: '2026-11-29T00:00:00Z' }, '/query/from', 'before `to`'],
    [{ from: '2026-10-30T11:59:59.999Z', to: '2026-11-30T12:00:00Z' }, '/query/from', '31 days'],
    [{ from: '2026-10-01T00:00:00Z' }, '/query/from', 'default: now'],
  ])('400 for %j', (query, pointer, detail) => {
    const fault = (() => {
      try {
        sumsRange(query, NOW);
      } catch (error) {
        return error;
      }
      return undefined;
    })();
    expect(fault).toBeInstanceOf(ProblemException);
    expect((fault as ProblemException).problem).toMatchObject({ status: 400, errors: [{ pointer, detail: expect.stringContaining(detail) }] });
  });
});
