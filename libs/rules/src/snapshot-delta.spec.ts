import { snapshotChecksum } from './snapshot-checksum.js';
import { applyDelta, validateDelta, type SnapshotDelta } from './snapshot-delta.js';
import type { Override, Rule, Snapshot } from './rule.js';

function rule(rule_id: string, fields: Partial<Rule> = {}): Rule {
  return { rule_id, version: 1, limit: 5, window_seconds: 1, ...fields };
}

const override: Override = { override_id: 'o1', rule_id: 'a', key_id: 'k', limit: 9, expires_at: '2027-01-01T00:00:00Z' };
const before: Snapshot = { version: 4, plans: [{ plan_id: 'free' }, { plan_id: 'pro' }], rules: [rule('a'), rule('b', { plan: 'free' })], overrides: [override] };
const nothing: SnapshotDelta = { since: 4, version: 5, rules: [], deleted_rules: [], plans: [], deleted_plans: [], overrides: [], deleted_overrides: [] };

describe('R54 a snapshot from its changes', () => {
  it('changes, adds and deletes parts, and leaves the old one alone', () => {
    const frozen = structuredClone(before);
    const delta = { ...nothing, version: 9, rules: [rule('b', { version: 2, limit: 8 }), rule('c', { plan: 'pro' })], deleted_rules: ['a'], deleted_plans: ['free', 'gone'], deleted_overrides: ['o1'] };
    expect(applyDelta(before, delta)).toEqual({
      ok: true,
      value: { version: 9, plans: [{ plan_id: 'pro' }], rules: [rule('b', { version: 2, limit: 8 }), rule('c', { plan: 'pro' })], overrides: [] },
    });
    expect(before).toEqual(frozen);
  });

  it('is the same snapshot when nothing changed but the version', () => {
    expect(applyDelta(before, nothing)).toEqual({ ok: true, value: { ...before, version: 5 } });
  });

  it.each<[string, Partial<SnapshotDelta>, readonly string[]]>([
    ['from an older version', { since: 3 }, ['/since']],
    ['from a newer version', { since: 5 }, ['/since']],
    ['that leads back', { version: 3 }, ['/version']],
    ['that leaves an override without its rule', { deleted_rules: ['a'] }, ['/overrides/0/rule_id']],
    ['that leaves a rule without its plan', { deleted_plans: ['free'] }, ['/rules/1/plan']],
  ])('refuses a delta %s', (_name, fields, pointers) => {
    const result = applyDelta(before, { ...nothing, ...fields });
    expect(result.ok ? [] : result.faults.map((fault) => fault.pointer)).toEqual(pointers);
  });

  it.each<[Record<string, unknown>, readonly string[]]>([
    [{}, []],
    [{ rules: [rule('a', { limit: 0 })] }, ['/rules/0/limit']],
    [{ deleted_rules: [7], deleted_plans: 'all', since: '4' }, ['/since', '/deleted_rules/0', '/deleted_plans']],
    [{ etag: 'x', overrides: undefined }, ['/etag', '/overrides']],
  ])('validates the parts of %j', (fields, pointers) => {
    const result = validateDelta({ ...nothing, ...fields });
    expect(result.ok ? [] : result.faults.map((fault) => fault.pointer)).toEqual(pointers);
  });
});

describe('R54 the checksum of a snapshot', () => {
  const sum = snapshotChecksum(before);

  it('depends neither on the order of parts nor of fields', () => {
    const shuffled: Snapshot = {
      overrides: [{ expires_at: override.expires_at, limit: 9, key_id: 'k', rule_id: 'a', override_id: 'o1' }],
      rules: [{ plan: 'free', window_seconds: 1, limit: 5, version: 1, rule_id: 'b' }, rule('a')],
      plans: [{ plan_id: 'pro' }, { plan_id: 'free' }],
      version: 4,
    };
    expect(snapshotChecksum(shuffled)).toBe(sum);
    expect(sum).toMatch(/^[\w-]{43}$/);
  });

  it('is what the versions before this one made of it: nodes and control plane are not upgraded in one instant', () => {
    const odd = rule('b', { plan: 'free', descriptors: { y: 'ü"', 10: '*', 9: '*' }, count_by: ['y', 'key_id'], calendar: { unit: 'day', time_zone: 'Europe/Berlin' } });
    expect(snapshotChecksum({ ...before, rules: [rule('a'), odd] })).toBe('N25wCVNE5UB6mSWpu3V6zf0J0QX-rxvpcrIg7A18Oq8');
  });

  it('is the same for a snapshot and for the sum of its deltas', () => {
    const delta = { ...nothing, rules: [rule('c', { descriptors: { x: '1', y: '*' } })], deleted_overrides: ['o1'] };
    const result = applyDelta(before, delta);
    const whole: Snapshot = { version: 5, plans: before.plans, rules: [rule('c', { descriptors: { y: '*', x: '1' } }), ...before.rules], overrides: [] };
    expect(result.ok && snapshotChecksum(result.value)).toBe(snapshotChecksum(whole));
  });

  it.each<[string, Snapshot]>([
    ['version', { ...before, version: 5 }],
    ['limit', { ...before, rules: [rule('a', { limit: 6 }), rule('b', { plan: 'free' })] }],
    ['plan', { ...before, plans: [{ plan_id: 'free', name: 'Free' }, { plan_id: 'pro' }] }],
    ['override', { ...before, overrides: [{ ...override, limit: 10 }] }],
  ])('sees another %s', (_name, snapshot) => {
    expect(snapshotChecksum(snapshot)).not.toBe(sum);
  });

  it('sees the order of the counted attributes, since counters depend on it', () => {
    const sums = [['x', 'y'], ['y', 'x']].map((count_by) => snapshotChecksum({ ...before, rules: [rule('a', { count_by })] }));
    expect(sums[0]).not.toBe(sums[1]);
  });
});
