import { algorithmFor, quota, type CounterState, type Quota, type QuotaInput } from '@sluice/algorithms';

const LIMIT = 600;
const WINDOW_MS = 1200;
/** A start of the fixed window and of every sub-bucket. */
const START_MS = 1_767_225_600_000;

interface Arrival {
  readonly atMs: number;
  /** As many as are left, up to that. */
  readonly permits: number;
}

/** A table of how far each algorithm lets a client go, by kind of arrivals. */
export interface AccuracyRow {
  readonly name: string;
  /** The most that passes in any trailing window, in % of the limit. */
  readonly steady: number;
  readonly randomBursts: number;
  readonly evenBursts: number;
  readonly adversary: number;
  /** What passes in the long run of a steady overload, in % of the limit a window. */
  readonly longRun: number;
}

/** Twice the limit, evenly, for `windows` windows. */
function steady(windows: number): readonly Arrival[] {
  return Array.from({ length: windows * WINDOW_MS }, (_, atMs) => ({ atMs, permits: 1 }));
}

/** Bursts of the whole limit, `gapMs` apart. */
function bursts(phaseMs: number, gapMs: number): readonly Arrival[] {
  const count = Math.ceil((4 * WINDOW_MS) / gapMs);
  return Array.from({ length: count }, (_, i) => ({ atMs: phaseMs + i * gapMs, permits: LIMIT }));
}

/** Bursts at random, one in 300 ms on average and up to the whole limit each: a linear congruential generator, so always the same. */
function randomBursts(): readonly Arrival[] {
  let seed = 1;
  const random = (): number => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
  let atMs = 0;
  return Array.from({ length: 6000 }, () => {
    atMs += Math.ceil(random() * 600);
    return { atMs, permits: Math.ceil(random() * LIMIT) };
  });
}

function range(from: number, to: number, step: number): readonly number[] {
  return Array.from({ length: Math.ceil((to - from) / step) }, (_, i) => from + i * step);
}

/** What a counter lets pass: the most in any trailing window, and all in all. */
function feed(q: Quota, arrivals: readonly Arrival[]): { readonly most: number; readonly total: number } {
  const algorithm = algorithmFor(q.algorithm);
  const passed: Arrival[] = [];
  let state: CounterState | undefined;
  let [most, inWindow, oldest, total] = [0, 0, 0, 0];
  for (const { atMs, permits } of arrivals) {
    const taken = algorithm.take(state, q, 1, permits, START_MS + atMs);
    state = taken.state;
    const { granted } = taken.outcome;
    if (granted === 0) continue;
    passed.push({ atMs, permits: granted });
    total += granted;
    inWindow += granted;
    for (let first = passed[oldest]; first !== undefined && first.atMs <= atMs - WINDOW_MS; first = passed[oldest]) {
      inWindow -= first.permits;
      oldest += 1;
    }
    most = Math.max(most, inWindow);
  }
  return { most, total };
}

function percent(permits: number): number {
  return Math.round((permits / LIMIT) * 1000) / 10;
}

/** Measures one algorithm; the same numbers every time. */
export function accuracyOf(name: string, input: Omit<QuotaInput, 'limit' | 'windowMs'>): AccuracyRow {
  const q = quota({ ...input, limit: LIMIT, windowMs: WINDOW_MS });
  const worst = (each: readonly (readonly Arrival[])[]): number => percent(Math.max(...each.map((arrivals) => feed(q, arrivals).most)));
  const phases = range(0, WINDOW_MS, 300);
  return {
    name,
    steady: worst([steady(10)]),
    randomBursts: worst([randomBursts()]),
    evenBursts: worst(phases.flatMap((phase) => range(100, 2 * WINDOW_MS, 50).map((gap) => bursts(phase, gap)))),
    // A burst anywhere in the window, and the next ones at the last ms at which it still counts.
    adversary: worst(range(0, WINDOW_MS, 1).map((phase) => bursts(phase, WINDOW_MS - 1))),
    longRun: percent(feed(q, steady(20)).total / 20),
  };
}
