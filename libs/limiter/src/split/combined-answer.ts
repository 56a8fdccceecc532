import type { Outcome, Quota } from '@sluice/algorithms';
import { keyOf } from '../counter-name.js';
import type { LeaseCursor } from '../lease/lease-cursor.js';
import type { Lease } from '../lease/lease.js';
import type { Answer } from '../store/counter-store.js';
import { StoreFault } from '../store/store-fault.js';

/** What a counter is kept as: itself, or its shards (R28). */
export interface Part {
  readonly key: string;
  readonly quota: Quota;
  /** Permits of it that this node holds; below 0 where it has admitted so many that the store does not know of. */
  readonly held: number;
  /** Which they were charged to, or are to be; absent where this node holds nothing. */
  readonly bucket?: number | undefined;
}

/** A counter that is read, and the greatest cost that it can grant. */
export interface Found {
  /** As a whole. */
  readonly key: string;
  readonly capacity: number;
  readonly parts: readonly Part[];
}

/** What has to be read of a counter that a cursor stands on, and holds nothing: it is asked every time. */
export function partsToRead({ split, values }: LeaseCursor, { key, quota }: Lease): readonly Part[] {
  if (split === undefined) return [{ key, quota, held: 0 }];
  return split.split.shards.map((terms) => ({ key: keyOf(terms, values), quota: terms.quota, held: 0 }));
}

/**
 * What a counter answers to a cost, from the answers of its parts to it: their sum; that it refuses when no single part has enough, as a request would
 * find. A fault where one of them has not answered.
 */
export function combinedAnswer(parts: readonly Part[], answers: readonly Answer[], cost: number): Answer {
  const heard = answers.filter((answer): answer is Outcome => !(answer instanceof StoreFault));
  const [first] = heard;
  if (first === undefined || heard.length < parts.length) {
    return answers.find((answer) => answer instanceof StoreFault) ?? new StoreFault('rejected', 'the store left an ask unanswered');
  }
  const left = heard.map(({ remaining }, at) => remaining + (parts[at]?.held ?? 0));
  const sum = left.reduce((all, each) => all + each, 0);
  return {
    ...first,
    remaining: left.some((each) => each >= cost) ? sum : Math.min(sum, cost - 1),
    retryMs: Math.min(...heard.map(({ retryMs }) => retryMs)),
    resetMs: Math.max(...heard.map(({ resetMs }) => resetMs)),
  };
}
