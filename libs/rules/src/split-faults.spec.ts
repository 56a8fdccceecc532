import { splitFaults } from './split-faults.js';

const rule = { rule_id: 'r', version: 1, limit: 1000, window_seconds: 1, shards: 4 };

describe('R28 R57 what is split', () => {
  it.each([
    ['a window', {}],
    ['an exact one', { consistency: 'exact' }],
    ['a bucket', { algorithm: 'token_bucket', burst: 80 }],
    ['the least', { limit: 80 }],
    ['the most', { limit: 1280, shards: 64 }],
    ['nothing', { shards: 1, algorithm: 'sliding_log', limit: 5 }],
  ] as const)('%s', (_, fields) => {
    expect(splitFaults({ ...rule, ...fields })).toEqual([]);
  });

  it.each([
    ['a sliding log', { algorithm: 'sliding_log' }, 'sliding_log'],
    ['a shaper', { algorithm: 'leaky_bucket', shape: true }, 'shaper'],
    ['charged denials', { charge_denied: true }, 'denials'],
    ['approximate counters', { consistency: 'approximate' }, 'approximate'],
    ['gossip', { consistency: 'gossip' }, 'gossip'],
    ['a small limit', { limit: 79 }, 'leaves 19 permits'],
    ['a small burst', { algorithm: 'gcra', burst: 79 }, 'leaves 19 permits'],
  ] as const)('but not %s', (_, fields, detail) => {
    expect(splitFaults({ ...rule, ...fields })).toEqual([{ pointer: '/shards', detail: expect.stringContaining(detail) }]);
  });
});
