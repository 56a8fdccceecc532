import { DEFAULT_KEY_PREFIX } from './counter-key.js';

/** The key of a reservation (R14). No counter has it: after its hash tag comes a code of eleven characters, or its tag is one. */
export function reservationKey(id: string, prefix: string = DEFAULT_KEY_PREFIX): string {
  return `${prefix}{${id}}r`;
}
