import { unavailableChoices } from './unavailable-choices.js';

const rule = { rule_id: 'r', version: 1, limit: 10, window_seconds: 1 } as const;

describe('R57 choices that this version does not carry out', () => {
  it.each([
    [{ consistency: 'gossip' }, '/consistency'],
    [{ region_mode: 'split' }, '/region_mode'],
    [{ region_mode: 'home' }, '/region_mode'],
    [{ shards: 2, limit: 39 }, '/shards'],
  ] as const)('%j is a fault at %s', (choice, pointer) => {
    expect(unavailableChoices({ ...rule, ...choice }).map((fault) => fault.pointer)).toEqual([pointer]);
  });

  it('everything else is fine', () => {
    for (const consistency of ['exact', 'leased', 'approximate'] as const) {
      for (const region_mode of ['regional', 'merged'] as const) expect(unavailableChoices({ ...rule, consistency, region_mode, shards: 1 })).toEqual([]);
    }
  });
});
