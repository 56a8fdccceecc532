/** Anchored once to the wall clock, then monotonic: an adjusted system clock can neither revive nor kill a lease (R10). */
export function systemClock() {
    const anchorMs = Date.now() - performance.now();
    return { nowMs: () => Math.floor(anchorMs + performance.now()) };
}
/** {@link Clock.every}, by a real timer where the clock has none. */
export function every(clock, periodMs, task) {
    if (clock.every !== undefined)
        return clock.every(periodMs, task);
    const timer = setInterval(task, periodMs);
    timer.unref();
    return () => clearInterval(timer);
}
//# sourceMappingURL=clock.js.map