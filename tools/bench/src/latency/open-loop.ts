/** One request: undefined when it was decided at once. */
export type Request = (at: number) => Promise<unknown> | undefined;

/** Waits from the moment at which each request was due, ms, sorted. */
export interface Waits {
  readonly ms: Float64Array;
  readonly perSecond: number;
}

/** Requests in the air at most, when as many are made as the subject can bear. */
const SATURATED_IN_FLIGHT = 256;
/** Requests made before the event loop may turn. */
const MAX_A_TURN = 256;

/**
 * Requests that arrive whether or not the ones before them are answered, as those of strangers do, at random (Poisson) and `perMs` of them
 * on the average; without it as fast as they are answered. A request that could not be made when it was due has waited since then.
 */
export function openLoop(request: Request, count: number, perMs: number | undefined): Promise<Waits> {
  // First when each was due, then how long it has waited: the loader itself allocates nothing for what is decided at once.
  const ms = new Float64Array(count);
  const startMs = performance.now();
  let dueMs = startMs;
  let made = 0;
  let ended = 0;
  let seed = 0x2545f491;
  const gapMs = (): number => {
    if (perMs === undefined) return 0;
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return -Math.log((seed + 1) / 2 ** 32) / perMs;
  };
  return new Promise((resolve, reject) => {
    const end = (at: number): void => {
      ms[at] = performance.now() - (ms[at] ?? 0);
      ended += 1;
    };
    const endLater = (answer: Promise<unknown>, at: number): void => {
      answer.then(() => end(at), reject);
    };
    const make = (): void => {
      const at = made;
      ms[at] = dueMs;
      made += 1;
      dueMs += gapMs();
      const answer = request(at);
      if (answer === undefined) end(at);
      else endLater(answer, at);
    };
    const turn = (): void => {
      const untilMs = performance.now();
      for (let more = MAX_A_TURN; more > 0 && made < count && dueMs <= untilMs; more -= 1) {
        if (perMs === undefined && made - ended >= SATURATED_IN_FLIGHT) break;
        make();
      }
      if (ended < count) setImmediate(turn);
      else resolve({ ms: ms.sort(), perSecond: (count / (performance.now() - startMs)) * 1000 });
    };
    turn();
  });
}
