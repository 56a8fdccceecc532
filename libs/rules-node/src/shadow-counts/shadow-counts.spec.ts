import { jest } from '@jest/globals';
import { compileRule, type AppliedRule } from '@sluice/rules';
import { countedKey, sendableKey } from './counted-key.js';
import { ShadowCounts, type CountLine, type Unsent } from './shadow-counts.js';
import { Tally } from './tally.js';

const START_MS = Date.parse('2026-12-01T14:00:00Z');
const MINUTE_MS = 60_000;

function applied(rule_id: string, fields: object = {}): AppliedRule {
  const rule = compileRule({ rule_id, version: 1, limit: 5, window_seconds: 1, mode: 'shadow', ...fields });
  return { rule, quota: rule.quota, overrideId: undefined };
}

function all(counts: ShadowCounts, nowMs: number): readonly Unsent[] {
  return [...counts.unsent(nowMs)].flat();
}

/** Takes all that is unsent, and acknowledges it. */
function take(counts: ShadowCounts, nowMs: number): CountLine[] {
  return all(counts, nowMs).map(({ line, acknowledge }) => {
    acknowledge();
    return line;
  });
}

describe('R58 what rules in shadow would have said, on one node', () => {
  it('is counted by rule, version, minute and key, and cumulative', () => {
    const counts = new ShadowCounts();
    const staged = applied('staged');
    counts.note(staged, 'allowed', { key_id: 'a' }, START_MS);
    counts.note(staged, 'denied', { key_id: 'a' }, START_MS + 1);
    counts.note(staged, 'denied', { key_id: 'b' }, START_MS + MINUTE_MS);
    counts.note(applied('staged', { version: 2 }), 'unknown', { key_id: 'a' }, START_MS + MINUTE_MS);
    const nowMs = START_MS + 3 * MINUTE_MS;
    const line = { rule_id: 'staged', rule_version: 1, minute: '2026-12-01T14:00:00.000Z', allowed: 0, denied: 0, unknown: 0 };
    const next = { ...line, minute: '2026-12-01T14:01:00.000Z' };
    expect(take(counts, nowMs)).toEqual([
      { ...line, key: null, allowed: 1, denied: 1 },
      { ...line, key: 'a', allowed: 1, denied: 1 },
      { ...next, key: null, denied: 1 },
      { ...next, key: 'b', denied: 1 },
      { ...next, rule_version: 2, key: null, unknown: 1 },
      { ...next, rule_version: 2, key: 'a', unknown: 1 },
    ]);
    expect(take(counts, nowMs)).toEqual([]);
    counts.note(staged, 'denied', { key_id: 'b' }, START_MS + MINUTE_MS + 5);
    expect(take(counts, nowMs)).toEqual([{ ...next, key: null, denied: 2 }, { ...next, key: 'b', denied: 2 }]);
  });

  it('goes on in the same line when a new snapshot makes the same rule anew', () => {
    const counts = new ShadowCounts();
    counts.note(applied('staged'), 'denied', { key_id: 'a' }, START_MS);
    counts.note(applied('staged'), 'denied', { key_id: 'a' }, START_MS);
    expect(take(counts, START_MS + 3 * MINUTE_MS).map(({ key, denied }) => [key, denied])).toEqual([[null, 2], ['a', 2]]);
  });

  it('names the keys with the most refusals; the others are in the total, whatever comes', () => {
    const counts = new ShadowCounts();
    const staged = applied('staged');
    let sum = 0;
    const note = (key_id: string, verdict: 'allowed' | 'denied'): void => {
      counts.note(staged, verdict, { key_id }, START_MS);
      sum += 1;
    };
    for (let at = 0; at < 20_000; at += 1) note(`passing-${at}`, 'allowed');
    const last = new Map<string | null, CountLine>();
    const keep = (nowMs: number): void => {
      for (const line of take(counts, nowMs)) {
        // What the control plane has only grows.
        expect(line.allowed + line.denied).toBeGreaterThan((last.get(line.key)?.allowed ?? 0) + (last.get(line.key)?.denied ?? 0));
        last.set(line.key, line);
      }
    };
    for (let at = 0; at < 3_000; at += 1) note(`refused-${at}`, 'denied');
    keep(START_MS + 10_000);
    for (let times = 0; times < 50; times += 1) for (let at = 0; at < 100; at += 1) note(`late-${at}`, 'denied');
    for (let at = 0; at < 9_000; at += 1) note(`once-${at}`, 'denied');
    keep(START_MS + 50_000);
    keep(START_MS + 3 * MINUTE_MS);
    const named = [...last.values()].filter(({ key }) => key !== null);
    const total = last.get(null);
    expect((total?.allowed ?? 0) + (total?.denied ?? 0)).toBe(sum);
    expect(named.length).toBe(1_000);
    for (let at = 0; at < 100; at += 1) expect(last.get(`late-${at}`)).toMatchObject({ denied: 50 });
    expect(named.reduce((all, { denied }) => all + denied, 0)).toBeLessThanOrEqual(total?.denied ?? 0);
  });

  it('a rule is found without a look at the others, also after each new snapshot', () => {
    const counts = new ShadowCounts();
    let looks = 0;
    for (let round = 0; round < 2; round += 1) {
      for (let at = 0; at < 500; at += 1) {
        const { rule, ...others } = applied(`staged-${at}`);
        const ruleId = { get: () => (looks += 1) && rule.ruleId };
        counts.note({ ...others, rule: Object.defineProperty({ ...rule }, 'ruleId', ruleId) }, 'denied', { key_id: 'a' }, START_MS);
      }
    }
    expect(looks).toBeLessThan(5_000);
    const lines = take(counts, START_MS + 3 * MINUTE_MS);
    expect([lines.length, lines.filter(({ denied }) => denied === 2).length]).toEqual([1_000, 1_000]);
  });

  it('a request that needs room compares few others, and those with many refusals stay', () => {
    const counts = new ShadowCounts();
    const staged = applied('staged');
    const note = (key_id: string): void => counts.note(staged, 'denied', { key_id }, START_MS);
    for (let times = 0; times < 5; times += 1) for (let at = 0; at < 500; at += 1) note(`often-${at}`);
    for (let at = 0; at < 3_500; at += 1) note(`first-${at}`);
    const looks = jest.spyOn(Tally.prototype, 'sum', 'get');
    let most = 0;
    for (let at = 0; at < 20_000; at += 1) {
      looks.mockClear();
      note(`once-${at}`);
      most = Math.max(most, looks.mock.calls.length);
    }
    looks.mockRestore();
    expect(most).toBeLessThan(50);
    const named = take(counts, START_MS + 3 * MINUTE_MS).filter(({ key }) => key !== null);
    expect(named).toHaveLength(1_000);
    expect(named.filter(({ key }) => key?.startsWith('often-')).length).toBe(500);
  });

  it('is kept for ten minutes without the control plane, then given up and counted', () => {
    const counts = new ShadowCounts();
    counts.note(applied('staged'), 'denied', { key_id: 'a' }, START_MS);
    counts.note(applied('staged'), 'denied', { key_id: 'b' }, START_MS);
    expect(all(counts, START_MS + 11 * MINUTE_MS - 1)).toHaveLength(3);
    expect(counts.dropped).toBe(0);
    expect(all(counts, START_MS + 11 * MINUTE_MS)).toHaveLength(0);
    expect(counts.dropped).toBe(2);
  });

  it('known failure 33: memory is bounded whatever keys come', () => {
    const counts = new ShadowCounts();
    const staged = applied('staged', { count_by: ['path'] });
    for (let at = 0; at < 5_000; at += 1) counts.note(staged, 'denied', { path: `/${'x'.repeat(9_000)}${at}` }, START_MS + at * 200);
    const lines = all(counts, START_MS + 17 * MINUTE_MS);
    expect(lines.length).toBeGreaterThan(1_000);
    for (const { line } of lines) expect(line.key?.length ?? 0).toBeLessThanOrEqual(256);
  });
});

describe('R58 R11 whom a request is counted for', () => {
  it.each([
    [{ key_id: 'k', ip: '192.0.2.1' }, ['ip'], 'k'],
    [{ ip: '::ffff:192.0.2.1' }, ['ip'], 'ip=192.0.2.1'],
    [{ tenant_id: 't', user_id: 'u' }, ['tenant_id', 'user_id'], 'tenant_id=t,user_id=u'],
    [{ key_id: '', user_id: 'u' }, ['user_id'], 'user_id=u'],
    [{ key_id: 'x'.repeat(300) }, ['key_id'], expect.stringMatching(/^sha256:[\w-]{43}$/)],
  ])('%j by %j: %s', (attributes, countBy, key) => {
    expect(countedKey({ countBy }, attributes)).toEqual(key);
  });

  it('is sent as the control plane can store it', () => {
    expect(sendableKey('schlüssel 🔑')).toBe('schlüssel 🔑');
    for (const odd of ['a\0b', 'half \ud800', 'line\n']) expect(sendableKey(odd)).toMatch(/^sha256:/);
    expect(sendableKey('a\0b')).not.toBe(sendableKey('a\0c'));
  });
});
