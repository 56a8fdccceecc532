import { fakeClock } from './fake-clock.js';

describe('a fake clock', () => {
  it('stands still until it is told to move, and goes back too', () => {
    const clock = fakeClock(1_000);
    expect(clock.nowMs()).toBe(1_000);
    clock.advance(250);
    expect(clock.nowMs()).toBe(1_250);
    clock.advance(-500);
    expect(clock.nowMs()).toBe(750);
    clock.set(5);
    expect(clock.nowMs()).toBe(5);
  });

  it('starts at an edge of every window up to a day', () => {
    expect(fakeClock().nowMs() % 86_400_000).toBe(0);
  });
});
