/** A clock that moves only when told to. */
export interface FakeClock {
  /** Milliseconds since 1970. */
  nowMs(): number;
  /** Moves by `ms`, backwards when negative: real clocks step back too. */
  advance(ms: number): void;
  /** Jumps to `ms`. */
  set(ms: number): void;
}

/** A clock at `startMs`, by default 2026-01-01T00:00:00Z, which every whole window of a day or less begins at. */
export function fakeClock(startMs = Date.UTC(2026, 0, 1)): FakeClock {
  let now = startMs;
  return {
    nowMs: () => now,
    advance: (ms) => {
      now += ms;
    },
    set: (ms) => {
      now = ms;
    },
  };
}
