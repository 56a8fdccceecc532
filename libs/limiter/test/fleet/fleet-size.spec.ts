import { fakeClock } from '@sluice/testkit';
import { createLimiter, memoryStore, StoreFault, type Heard, type Heartbeat, type Limiter } from '../../src/index.js';
import { allowed, checks, rulesOf, START_MS } from '../support/fixture.js';
import { Remote } from '../support/remote.js';

const key = { key_id: 'k1' };
const gone = new StoreFault('unavailable', 'no connection');

/** Nodes of one fleet, on a clock that drives their timers; each reaches the store by a line of its own. */
class Line extends Remote {
  beats: (beat: Heartbeat) => Promise<Heard | StoreFault>;
  sent = 0;
  hung: Promise<void> | undefined;

  constructor(store: ReturnType<typeof memoryStore>) {
    super(store);
    this.beats = (beat) => store.heartbeat(beat);
  }

  async heartbeat(beat: Heartbeat): Promise<Heard | StoreFault> {
    this.sent += 1;
    await this.hung;
    return this.fault ?? this.beats(beat);
  }
}

function fleetOf(count: number, limit = 100) {
  const clock = fakeClock(START_MS);
  const store = memoryStore(clock);
  const timers = new Set<{ dueMs: number; periodMs: number; task: () => void }>();
  const ticking = {
    nowMs: () => clock.nowMs(),
    every(periodMs: number, task: () => void) {
      const timer = { dueMs: clock.nowMs() + periodMs, periodMs, task };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
  };
  const join = (nodeId: string, fleetSize?: number): { limiter: Limiter; line: Line } => {
    const line = new Line(store);
    const rules = rulesOf([{ rule_id: 'r', limit, window_seconds: 60 }]);
    return { limiter: createLimiter({ store: line, rules, clock: ticking, nodeId, fleetSize }), line };
  };
  const pass = async (ms: number): Promise<void> => {
    for (const endMs = clock.nowMs() + ms; clock.nowMs() < endMs; ) {
      clock.advance(50);
      for (const timer of [...timers]) {
        if (timer.dueMs > clock.nowMs()) continue;
        timer.dueMs += timer.periodMs;
        timer.task();
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const nodes = Array.from({ length: count }, (_, at) => join(`node-${at}`));
  const sizes = (): number[] => nodes.map(({ limiter }) => limiter.stats().fleetSize);
  return { clock, nodes, join, pass, sizes };
}

describe('R41 the size of the fleet', () => {
  it('is what beats: nodes that join, leave and die are counted in and out', async () => {
    const { nodes, join, pass, sizes } = fleetOf(4);
    await pass(1200);
    expect(sizes()).toEqual([4, 4, 4, 4]);
    const fifth = join('node-4');
    await pass(1200);
    expect(sizes()).toEqual([5, 5, 5, 5]);
    await fifth.limiter.close();
    await pass(11_000);
    expect(sizes()).toEqual([4, 4, 4, 4]);
    const [dead] = nodes.splice(0, 1);
    if (dead !== undefined) dead.line.fault = gone;
    await pass(4500);
    expect(sizes()).toEqual([4, 4, 4]);
    await pass(11_000);
    expect(sizes()).toEqual([3, 3, 3]);
    // It was only paused.
    if (dead !== undefined) dead.line.fault = undefined;
    await pass(2400);
    expect(sizes()).toEqual([4, 4, 4]);
    expect(dead?.limiter.stats().fleetSize).toBe(4);
  });

  it('shares a limit by the last known size while the store is away, rounded down, and by the new one afterwards', async () => {
    const { nodes, join, pass, sizes } = fleetOf(3);
    await pass(1200);
    for (const { line } of nodes) line.fault = gone;
    await pass(8000);
    expect(sizes()).toEqual([3, 3, 3]);
    let admitted = 0;
    for (const { limiter } of nodes) {
      const decisions = await checks(limiter, 50, key);
      expect(decisions.every(({ deciding }) => deciding?.source === 'fallback')).toBe(true);
      expect(allowed(decisions)).toBe(33);
      admitted += allowed(decisions);
    }
    expect(admitted).toBe(99);
    for (const { line } of nodes) line.fault = undefined;
    join('node-3');
    await pass(2400);
    expect(sizes()).toEqual([4, 4, 4]);
    for (const { line } of nodes) line.fault = gone;
    // Another minute, another key: by the new share.
    const { limiter } = nodes[0] ?? {};
    expect(limiter === undefined ? 0 : allowed(await checks(limiter, 50, { key_id: 'k2' }))).toBe(25);
    for (const each of nodes) await each.limiter.close();
  });

  it('does not shrink at once when the store comes back empty, since it may fail again', async () => {
    const { clock, nodes, pass, sizes } = fleetOf(4);
    await pass(1200);
    const [first] = nodes;
    for (const { line } of nodes) line.fault = gone;
    await pass(60_000);
    const empty = memoryStore(clock);
    if (first === undefined) throw new Error('there is no node');
    first.line.beats = (beat) => empty.heartbeat(beat);
    first.line.fault = undefined;
    await pass(1200);
    expect(first.line.sent).toBeGreaterThan(60);
    expect(first.limiter.stats().fleetSize).toBe(4);
    first.line.fault = gone;
    expect(allowed(await checks(first.limiter, 50, key))).toBe(25);
    // Alone for long enough it is alone.
    first.line.fault = undefined;
    await pass(12_000);
    expect(sizes()).toEqual([1, 4, 4, 4]);
  });

  it('is what is configured, whatever beats', async () => {
    const { join, pass } = fleetOf(2);
    const { limiter, line } = join('node-9', 20);
    await pass(1200);
    expect(limiter.stats().fleetSize).toBe(20);
    line.fault = gone;
    expect(allowed(await checks(limiter, 50, key))).toBe(5);
  });

  it('is 1 for a node that never reached its store, and its decisions say that they are the fallback’s', async () => {
    const { join, pass } = fleetOf(2);
    const { limiter, line } = join('late');
    line.fault = gone;
    await pass(100);
    const decisions = await checks(limiter, 120, key);
    expect(limiter.stats().fleetSize).toBe(2 - 1);
    expect(allowed(decisions)).toBe(100);
    expect(decisions.every(({ deciding }) => deciding?.source === 'fallback')).toBe(true);
  });

  it('known failure 25: beats do not pile up before a store that hangs', async () => {
    const { nodes, pass, sizes } = fleetOf(2);
    await pass(1200);
    const [first] = nodes;
    let release: () => void = () => undefined;
    if (first !== undefined) first.line.hung = new Promise((resolve) => (release = resolve));
    const before = first?.line.sent ?? 0;
    await pass(10_000);
    expect((first?.line.sent ?? 0) - before).toBe(1);
    release();
    if (first !== undefined) first.line.hung = undefined;
    await pass(2400);
    expect(sizes()).toEqual([2, 2]);
  });

  it('spreads the beats of nodes that start together', async () => {
    const { nodes, pass } = fleetOf(40, 100);
    await pass(9_950);
    const counts = new Set(nodes.map(({ line }) => line.sent));
    expect(Math.min(...counts)).toBeGreaterThanOrEqual(9);
    expect(Math.max(...counts)).toBeLessThanOrEqual(12);
    expect(counts.size).toBeGreaterThan(1);
  });
});
