/** Windows in a tenth of which nothing is told apart: so far may a window's beginning be off. */
const STEPS_A_WINDOW = 10;

/** The stretch of event time that a look takes in: all windows that end between `firstEndMs` and `toMs`, a step apart. */
export interface Span {
  readonly stepMs: number;
  readonly windowMs: number;
  readonly fromMs: number;
  readonly firstEndMs: number;
  readonly toMs: number;
}

/** What is to be looked at now: the window that is under way, and those that ended within the lateness. */
export function spanAt(nowMs: number, windowMs: number, latenessMs: number): Span {
  const stepMs = windowMs / STEPS_A_WINDOW;
  const toMs = (Math.floor(nowMs / stepMs) + 1) * stepMs;
  const firstEndMs = toMs - Math.ceil(latenessMs / stepMs) * stepMs;
  return { stepMs, windowMs, fromMs: firstEndMs - windowMs, firstEndMs, toMs };
}

/** A window by its end, and what was in it. */
export interface WindowSum {
  readonly endMs: number;
  readonly sum: number;
}

/** The fullest window of a span; the earliest of equals. @param buckets sums by the start of their step, in any order */
export function fullestWindow(span: Span, buckets: Iterable<readonly [startMs: number, amount: number]>): WindowSum {
  const amounts = new Map<number, number>();
  for (const [startMs, amount] of buckets) amounts.set(startMs, (amounts.get(startMs) ?? 0) + amount);
  let fullest: WindowSum = { endMs: span.firstEndMs, sum: -1 };
  for (let endMs = span.firstEndMs; endMs <= span.toMs; endMs += span.stepMs) {
    let sum = 0;
    for (let startMs = endMs - span.windowMs; startMs < endMs; startMs += span.stepMs) sum += amounts.get(startMs) ?? 0;
    if (sum > fullest.sum) fullest = { endMs, sum };
  }
  return fullest;
}

/** As {@link fullestWindow}, by different members instead of sums. */
export function widestWindow(span: Span, members: Iterable<readonly [startMs: number, member: string]>): WindowSum & { readonly members: readonly string[] } {
  const byStep = new Map<number, Set<string>>();
  for (const [startMs, member] of members) {
    const step = byStep.get(startMs) ?? new Set();
    byStep.set(startMs, step.add(member));
  }
  let widest = { endMs: span.firstEndMs, sum: -1, members: [] as readonly string[] };
  for (let endMs = span.firstEndMs; endMs <= span.toMs; endMs += span.stepMs) {
    const inside = new Set<string>();
    for (let startMs = endMs - span.windowMs; startMs < endMs; startMs += span.stepMs) for (const member of byStep.get(startMs) ?? []) inside.add(member);
    if (inside.size > widest.sum) widest = { endMs, sum: inside.size, members: [...inside].sort() };
  }
  return widest;
}
