import type { RawResponse } from './skin-adapter.js';

/** setTimeout takes no more, and fires at once instead (known failure 43). */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/** Holds a shaped request back, then goes on; never when the client hung up meanwhile, since nothing is left to do. */
export function holdBack(response: RawResponse, delayMs: number, go: () => void): void {
  const timer = setTimeout(
    () => {
      response.removeListener('close', hungUp);
      go();
    },
    Math.min(delayMs, MAX_TIMEOUT_MS),
  );
  const hungUp = (): void => clearTimeout(timer);
  response.on('close', hungUp);
}
