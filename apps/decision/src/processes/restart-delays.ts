const FIRST_MS = 100;
const MOST_MS = 10_000;
/** One that has served for so long may begin anew. */
const WELL_MS = 30_000;

/** How long to wait before a process is replaced: at once the first time, then twice as long each time while it does not live. */
export class RestartDelays {
  private readonly bySlot = new Map<number, { delayMs: number; listeningAtMs: number }>();

  /** @param nowMs monotonic */
  constructor(private readonly nowMs: () => number = () => performance.now()) {}

  listening(slot: number): void {
    this.of(slot).listeningAtMs = this.nowMs();
  }

  /** The delay of a process that has just ended, ms. */
  next(slot: number): number {
    const state = this.of(slot);
    if (this.nowMs() - state.listeningAtMs >= WELL_MS) state.delayMs = FIRST_MS;
    const { delayMs } = state;
    state.delayMs = Math.min(MOST_MS, delayMs * 2);
    state.listeningAtMs = Infinity;
    return delayMs;
  }

  private of(slot: number): { delayMs: number; listeningAtMs: number } {
    const state = this.bySlot.get(slot) ?? { delayMs: FIRST_MS, listeningAtMs: Infinity };
    this.bySlot.set(slot, state);
    return state;
  }
}
