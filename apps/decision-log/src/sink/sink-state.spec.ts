import { SinkState } from './sink-state.js';

const MINUTE = 60_000;

describe('R93 where the sink stands', () => {
  it('lags by the age of what waits for the store, and by what the last batch had when nothing waits', () => {
    const state = new SinkState();
    expect(state.lagMs(MINUTE)).toBe(0);
    state.take(1_000);
    expect(state.lagMs(5_000)).toBe(4_000);
    state.stored(4_500, 5_000);
    expect(state.lagMs(99_000)).toBe(500);
    // A node whose clock is ahead.
    state.take(6_000);
    expect(state.lagMs(5_000)).toBe(500);
    state.stored(6_000, 5_000);
    expect(state.lagMs(5_000)).toBe(0);
  });

  it('is ready while the store or the bus is away, and says so', () => {
    const state = new SinkState();
    expect(state.check(true, 0)).toEqual({ ok: true });
    expect(state.check(false, 0)).toEqual({ ok: true, detail: 'degraded: the bus cannot be reached' });
    state.failed('the store takes no events', 1_000);
    expect(state.check(true, 2_000)).toEqual({ ok: true, detail: 'degraded: the store takes no events' });
    state.well();
    expect(state.check(true, 3_000)).toEqual({ ok: true });
  });

  it('forgets a batch that failed and does not come again, but not one that is being written', () => {
    const state = new SinkState();
    state.take(0);
    state.failed('away', 1_000);
    expect(state.lagMs(20_000)).toBe(20_000);
    state.take(0);
    expect(state.check(true, 20 * MINUTE).detail).toBe('degraded: away');
    expect(state.lagMs(20 * MINUTE)).toBe(20 * MINUTE);
    state.failed('away', 20 * MINUTE);
    expect(state.lagMs(21 * MINUTE)).toBe(0);
    expect(state.check(true, 21 * MINUTE)).toEqual({ ok: true });
  });
});
