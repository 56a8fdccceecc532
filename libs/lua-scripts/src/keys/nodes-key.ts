import { DEFAULT_KEY_PREFIX } from './counter-key.js';

/** The key under which the nodes of a deployment are seen. No counter has it: after the hash tag of those comes the code of their identity. */
export function nodesKey(prefix: string = DEFAULT_KEY_PREFIX): string {
  return `${prefix}{nodes}`;
}
