import type { Decision, DecisionSource } from '../../../src/index.js';

/** One decision under traffic. Plain data: it crosses a process boundary. */
export interface Sample {
  /** Index into the streams, and into the keys of the run. */
  readonly stream: number;
  readonly key: number;
  /** When it was decided, ms since the epoch, and how long that took, ms. */
  readonly atMs: number;
  readonly tookMs: number;
  readonly source: DecisionSource;
  readonly outcome: 'allowed' | 'refused' | 'unavailable';
  /** Permits charged to counters of the store. */
  readonly charged: number;
}

export function sampleOf(stream: number, key: number, decision: Decision, tookMs: number): Sample {
  const { allowed, reason, policies } = decision;
  const sources = policies.map(({ source }) => source);
  let charged = 0;
  for (const { charge, source } of policies) if (charge !== undefined && source !== 'fallback') charged += charge.amount;
  return {
    stream,
    key,
    atMs: Date.now(),
    tookMs,
    source: sources.find((source) => source === 'fallback') ?? sources.find((source) => source === 'store') ?? 'local',
    outcome: allowed ? 'allowed' : reason === 'store_unavailable' ? 'unavailable' : 'refused',
    charged,
  };
}

/** Decided without the store: by the fallback or not at all. */
export function isTroubled({ source }: Sample): boolean {
  return source === 'fallback';
}
