import { FRESH_MS, KnownTokens, REFUSED_MS, STALE_MS, THROTTLED_MS } from './known-tokens.js';

const known = (expiresAtMs = Infinity) => ({ status: 'known', caller: { actor: 'token:x', role: 'viewer', tenantId: undefined }, expiresAtMs }) as const;

describe('R62 what was said of tokens', () => {
  let nowMs = 0;
  const tokens = (most?: number): KnownTokens => new KnownTokens(() => nowMs, most);
  beforeEach(() => {
    nowMs = 1_000_000;
  });

  it('"yes" serves for 10 s, and for 5 minutes while nobody can be asked', () => {
    const held = tokens();
    held.note('a', known());
    nowMs += FRESH_MS - 1;
    expect(held.fresh('a')).toEqual(known());
    nowMs += 1;
    expect(held.fresh('a')).toBeUndefined();
    expect(held.stale('a')).toEqual(known());
    nowMs += STALE_MS - FRESH_MS;
    expect([held.stale('a'), held.wasKnown('a')]).toEqual([undefined, true]);
  });

  it('never past its expiry, stale or not', () => {
    const held = tokens();
    held.note('a', known(nowMs + 500));
    nowMs += 499;
    expect(held.fresh('a')).toEqual(known(1_000_500));
    nowMs += 1;
    expect([held.fresh('a'), held.stale('a')]).toEqual([undefined, undefined]);
  });

  it('"no" serves for 2 s, ends "yes" at once, and is ended by it', () => {
    const held = tokens();
    held.note('a', known());
    held.note('a', { status: 'unknown' });
    expect([held.fresh('a'), held.stale('a'), held.wasKnown('a')]).toEqual([{ status: 'unknown' }, undefined, false]);
    nowMs += REFUSED_MS;
    expect(held.fresh('a')).toBeUndefined();
    held.note('a', { status: 'no_role', actor: 'token:n' });
    held.note('a', known());
    expect(held.fresh('a')).toEqual(known());
  });

  it('that it was not looked at says nothing of what it was, and serves for 1 s', () => {
    const held = tokens();
    held.note('a', known());
    nowMs += FRESH_MS;
    held.note('a', { status: 'throttled' });
    expect([held.fresh('a'), held.wasKnown('a')]).toEqual([{ status: 'throttled' }, true]);
    nowMs += THROTTLED_MS;
    expect([held.fresh('a'), held.stale('a')]).toEqual([undefined, known()]);
  });

  it('that its issuer is away says nothing of what it was either, and serves for 2 s', () => {
    const held = tokens();
    held.note('a', known());
    nowMs += FRESH_MS;
    held.note('a', { status: 'issuer_away' });
    expect([held.fresh('a'), held.stale('a'), held.wasKnown('a')]).toEqual([{ status: 'issuer_away' }, known(), true]);
    nowMs += REFUSED_MS;
    expect(held.fresh('a')).toBeUndefined();
  });

  it('a clock that was set back makes nothing last', () => {
    const held = tokens();
    held.note('a', known());
    held.note('b', { status: 'unknown' });
    nowMs -= 60_000;
    expect([held.fresh('a'), held.stale('a'), held.fresh('b')]).toEqual([undefined, undefined, undefined]);
  });

  it('a flood of guesses forgets nobody who is known; of those the least recently used goes first', () => {
    const held = tokens(3);
    for (const name of ['a', 'b', 'c']) held.note(name, known());
    for (let at = 0; at < 100; at += 1) held.note(`guess-${at}`, { status: 'unknown' });
    expect(['a', 'b', 'c', 'guess-96', 'guess-97'].map((name) => held.fresh(name)?.status)).toEqual(['known', 'known', 'known', undefined, 'unknown']);
    held.fresh('a');
    held.note('d', known());
    expect(['a', 'b', 'd'].map((name) => held.wasKnown(name))).toEqual([true, false, true]);
  });
});
