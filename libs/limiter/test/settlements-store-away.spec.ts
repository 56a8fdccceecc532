import { jest } from '@jest/globals';
import { reservationKey } from '@sluice/lua-scripts';
import { LEFT_ALONE } from '../src/store/store-fault.js';
import { node } from './support/fixture.js';
import { gone, key, NOTHING, remaining, reserved, second, tokens } from './support/reservations.js';

describe('R14 R41 while the store is away', () => {
  it('a reservation that the fallback granted lives in this node, and is settled there', async () => {
    const first = node([tokens]);
    const other = second(first);
    first.store.fault = gone;
    const { id, decision } = await reserved(first.limiter, 40);
    expect(decision.deciding?.source).toBe('fallback');
    expect(await other.settle(id, 10)).toMatchObject({ status: 'unknown' });
    expect(await first.limiter.settle(id, 10)).toEqual({ status: 'settled', charged: 10, returned: 30, indebted: 0 });
    expect((await first.limiter.peek(key)).deciding?.remaining).toBe(90);
    const debt = await reserved(first.limiter, 10);
    expect(await first.limiter.settle(debt.id, 150)).toEqual({ status: 'settled', charged: 150, returned: 0, indebted: 140 });
    expect((await first.limiter.check(key)).allowed).toBe(false);
    first.store.fault = undefined;
    expect(await remaining(other)).toEqual([100]);
    await Promise.all([first.limiter.close(), other.close()]);
  });

  it('and expires there too', async () => {
    const { limiter, store, clock } = node([tokens]);
    store.fault = gone;
    const { id } = await reserved(limiter, 40);
    clock.advance(60_000);
    store.fault = undefined;
    expect(await limiter.settle(id, 10)).toEqual({ status: 'unknown', ...NOTHING });
    await limiter.close();
  });

  it('one that the store may have kept without an answer goes by another id, so that no second node settles it', async () => {
    const { limiter, store, memory } = node([tokens]);
    const reserve = jest.spyOn(store, 'reserve').mockImplementation(async (at, record, ttlMs) => {
      await memory.reserve(at, record, ttlMs);
      return gone;
    });
    const { id } = await reserved(limiter, 40);
    const [[sent] = []] = reserve.mock.calls;
    expect(sent).not.toBe(reservationKey(id));
    expect(await memory.claim(reservationKey(id), 'other')).toBeUndefined();
    expect(await limiter.settle(id, 10)).toMatchObject({ status: 'settled', returned: 30 });
    expect(await remaining(limiter)).toEqual([90]);
    await limiter.close();
  });

  it('a settlement is unavailable, and may be tried again', async () => {
    const { limiter, store } = node([tokens]);
    const { id } = await reserved(limiter, 40);
    store.fault = gone;
    expect(await limiter.settle(id, 10)).toEqual({ status: 'unavailable', ...NOTHING });
    expect(limiter.stats()).toMatchObject({ settlements: 0, settlementsLost: 0 });
    store.fault = undefined;
    expect(await limiter.settle(id, 10)).toMatchObject({ status: 'settled', returned: 30 });
    await limiter.close();
  });

  it('known failure 26: a claim whose answer was lost can be asked again, here only, and settles once', async () => {
    const first = node([tokens]);
    const other = second(first);
    const { id } = await reserved(first.limiter, 40);
    jest.spyOn(first.store, 'claim').mockImplementationOnce(async (at, claimant) => {
      await first.memory.claim(at, claimant);
      return gone;
    });
    expect(await first.limiter.settle(id, 10)).toEqual({ status: 'unavailable', ...NOTHING });
    expect(await other.settle(id, 10)).toMatchObject({ status: 'unknown' });
    const settled = await Promise.all([first.limiter.settle(id, 10), first.limiter.settle(id, 10)]);
    expect(settled.map(({ status }) => status).sort()).toEqual(['settled', 'unknown']);
    expect(await remaining(other)).toEqual([90]);
    await Promise.all([first.limiter.close(), other.close()]);
  });

  it('known failure 26: two settlements at once on a node whose answers are both lost leave the reservation to be settled, once', async () => {
    const { limiter, store, memory } = node([tokens]);
    const { id } = await reserved(limiter, 100);
    const losing = jest.spyOn(store, 'claim').mockImplementation(async (at, claimant) => {
      await memory.claim(at, claimant);
      return gone;
    });
    expect(await Promise.all([limiter.settle(id, 10), limiter.settle(id, 10)])).toEqual(Array(2).fill({ status: 'unavailable', ...NOTHING }));
    losing.mockRestore();
    expect(await limiter.settle(id, 10)).toMatchObject({ status: 'settled', returned: 90 });
    expect(await limiter.settle(id, 10)).toMatchObject({ status: 'unknown' });
    expect(await remaining(limiter)).toEqual([90]);
    await limiter.close();
  });

  it('what is lost after the claim is counted, and not tried again: it may have arrived', async () => {
    const { limiter, store } = node([tokens]);
    const [back, debt] = [await reserved(limiter, 40), await reserved(limiter, 40)];
    jest.spyOn(store, 'giveBack').mockResolvedValueOnce([gone]);
    jest.spyOn(store, 'charge').mockResolvedValueOnce([gone]);
    expect(await limiter.settle(back.id, 10)).toEqual({ status: 'settled', charged: 40, returned: 0, indebted: 0 });
    expect(await limiter.settle(debt.id, 45)).toEqual({ status: 'settled', charged: 40, returned: 0, indebted: 0 });
    expect(limiter.stats()).toMatchObject({ settlements: 2, settlementsLost: 2, unsettled: 35 });
    expect(await limiter.settle(back.id, 10)).toMatchObject({ status: 'unknown' });
    await limiter.close();
  });

  it('what was not even sent after the claim stays with this node, which may try again', async () => {
    const { limiter, store } = node([{ ...tokens, policy: 'a' }, { ...tokens, rule_id: 'day', policy: 'b', window_seconds: 86_400 }]);
    const { id } = await reserved(limiter, 40);
    jest.spyOn(store, 'giveBack').mockResolvedValueOnce([LEFT_ALONE, 30]);
    expect(await limiter.settle(id, 10)).toEqual({ status: 'unavailable', charged: 10, returned: 30, indebted: 0 });
    expect(limiter.stats()).toMatchObject({ settlements: 0, settlementsLost: 0, unsettled: 0 });
    expect(await limiter.settle(id, 10)).toEqual({ status: 'settled', charged: 10, returned: 30, indebted: 0 });
    expect(await limiter.settle(id, 10)).toMatchObject({ status: 'unknown' });
    await limiter.close();
  });

  it('a record of a format that this node does not know is left alone, and counted', async () => {
    const { limiter, memory } = node([tokens]);
    const id = 'a'.repeat(22);
    await memory.reserve(reservationKey(id), '[2,"of the future"]', 60_000);
    expect(await limiter.settle(id, 1)).toEqual({ status: 'unknown', ...NOTHING });
    expect(limiter.stats().settlementsLost).toBe(1);
    await limiter.close();
  });
});
