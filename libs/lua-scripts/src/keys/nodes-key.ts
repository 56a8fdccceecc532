import { DEFAULT_KEY_PREFIX } from './counter-key.js';

/** The key under which the nodes of a deployment are seen. No counter has it: after its hash tag comes a code of eleven characters, or its tag is one. */
export function nodesKey(prefix: string = DEFAULT_KEY_PREFIX): string {
  return `${prefix}{nodes}`;
}
