import { nodesKey } from './nodes-key.js';

/** The key under which a deployment keeps which counters are split; in the slot of {@link nodesKey}. No counter has it, for the same reason. */
export function splitsKey(prefix?: string): string {
  return `${nodesKey(prefix)}s`;
}
