import { inSlices } from './in-slices.js';
import { atOnce, mapInSteps, type Steps } from './steps.js';

/** Keeps the thread busy, as a step does. */
function work(ms: number): void {
  for (const endMs = performance.now() + ms; performance.now() < endMs; );
}

function* busy(steps: number, stepMs: number, done: number[] = []): Steps<string> {
  for (let at = 0; at < steps; at += 1) {
    work(stepMs);
    done.push(at);
    yield;
  }
  return 'whole';
}

/** Turns of the event loop while something runs. */
async function turnsDuring(run: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let counting = true;
  const turn = (): void => {
    turns += 1;
    if (counting) setImmediate(turn);
  };
  setImmediate(turn);
  await run();
  counting = false;
  return turns;
}

describe('R56 a long computation runs in slices', () => {
  it('comes to what it comes to in one go', async () => {
    const doubled = (): Steps<number[]> => mapInSteps([...Array(1_000).keys()], (at) => at * 2);
    expect(await inSlices(doubled(), { sliceMs: 0 })).toEqual(atOnce(doubled()));
  });

  it('lets the event loop take a turn after each slice', async () => {
    expect(await turnsDuring(() => inSlices(busy(40, 1), { sliceMs: 2 }))).toBeGreaterThanOrEqual(15);
    expect(await turnsDuring(() => inSlices(busy(40, 1), { sliceMs: Infinity }))).toBeLessThan(3);
  });

  it('does not pay a turn for each small step', async () => {
    expect(await turnsDuring(() => inSlices(mapInSteps(Array(50_000).keys(), (at) => at)))).toBeLessThan(100);
  });

  it('ends at once when it is aborted, with the reason', async () => {
    const abort = new AbortController();
    const done: number[] = [];
    const running = inSlices(busy(1_000, 1, done), { signal: abort.signal });
    setTimeout(() => abort.abort(new Error('closed')), 20);
    await expect(running).rejects.toThrow('closed');
    const before = done.length;
    expect(before).toBeLessThan(500);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(done).toHaveLength(before);
    await expect(inSlices(busy(1, 1), { signal: abort.signal })).rejects.toThrow('closed');
  });

  it('throws what a step throws', async () => {
    const failing = mapInSteps([1], () => {
      throw new RangeError('no such thing');
    });
    await expect(inSlices(failing)).rejects.toThrow(RangeError);
  });
});
