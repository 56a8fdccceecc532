import { applyDeltaSteps, compileSnapshotSteps, inSlices, snapshotChecksumSteps, type Steps, validateDeltaSteps, validateSnapshotSteps } from '@sluice/rules';
import { parseJson } from '@sluice/snapshot-client';
import { changesAt, ruleSetAt } from './rule-set.js';
import type { Stretch, Watch } from './watch.js';

/** One step of taking a snapshot in, on its own. */
export interface StepFigures {
  readonly name: string;
  /** The longest pause of each round, ms. */
  readonly atOnceMs: readonly number[];
  readonly slicedMs: readonly number[];
  /** Time that the step took in slices. */
  readonly totalMs: readonly number[];
}

/** Each step by itself, all at once and in slices by turns. */
export async function measureSteps(watch: Watch, rounds: number): Promise<readonly StepFigures[]> {
  const figures: StepFigures[] = [];
  for (const [name, make] of stepsOf()) {
    const round = async (sliceMs: number): Promise<Stretch & { readonly totalMs: number }> => {
      const startMs = performance.now();
      let totalMs = 0;
      const stretch = await watch.during(async () => {
        await inSlices(make(), { sliceMs });
        totalMs = performance.now() - startMs;
      });
      return { ...stretch, totalMs };
    };
    await round(2);
    await round(Infinity);
    const atOnce = [];
    const sliced = [];
    for (let at = 0; at < rounds; at += 1) {
      atOnce.push(await round(Infinity));
      sliced.push(await round(2));
    }
    figures.push({ name, atOnceMs: atOnce.map(({ pauseMs }) => pauseMs), slicedMs: sliced.map(({ pauseMs }) => pauseMs), totalMs: sliced.map(({ totalMs }) => totalMs) });
  }
  return figures;
}

function stepsOf(): readonly (readonly [string, () => Steps<unknown>])[] {
  const snapshot = ruleSetAt(1);
  const text = JSON.stringify(snapshot);
  const json: unknown = JSON.parse(text);
  const changes = changesAt(2);
  return [
    ['parse', () => parseJson(text)],
    ['check', () => validateSnapshotSteps(json)],
    ['compile', () => compileSnapshotSteps(snapshot)],
    ['check changes', () => validateDeltaSteps(changes)],
    ['apply changes', () => applyDeltaSteps(snapshot, changes)],
    ['hash', () => snapshotChecksumSteps(snapshot)],
  ];
}
