import type { DecisionStream } from '@sluice/decision-stream';

/** The part of its stream that a service itself writes into, beside what `observe` does. */
export type NodeStream = Pick<DecisionStream, 'note' | 'noteUnauthenticated'>;
