import { StartError } from '@sluice/platform';

/**
 * Waits for what may never come, such as a database that is away, until a start is given up.
 *
 * @throws StartError as soon as `giveUp` is aborted; what was waited for goes on by itself
 */
export async function unlessAborted<T>(waiting: Promise<T>, giveUp: AbortSignal): Promise<T> {
  let onAbort: () => void = () => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    onAbort = () => reject(new StartError('stopped before it had started'));
    giveUp.addEventListener('abort', onAbort, { once: true });
    if (giveUp.aborted) onAbort();
  });
  try {
    return await Promise.race([waiting, aborted]);
  } finally {
    giveUp.removeEventListener('abort', onAbort);
  }
}
