import { setTimeout as sleep } from 'node:timers/promises';
import type { AppProcess } from './app-process.js';

/** All has to be over in 10 s (R44), the servers too. */
const GRACE_MS = 9_400;
/** An app may need 8 s for requests in flight: three of them one after the other would not end in time. */
const HEAD_START_MS = 200;

/**
 * Stops the apps in the given order, whoever asks before whom it asks: the next one when the one before has ended, or has had a head
 * start. What still runs after all that is killed.
 *
 * @throws Error that names those that had to be killed or ended with a fault
 */
export async function stopApps(apps: readonly AppProcess[]): Promise<void> {
  const deadline = Date.now() + GRACE_MS;
  const stopping: Promise<string[]>[] = [];
  for (const app of apps.filter(({ running }) => running)) {
    stopping.push(app.stop(deadline - Date.now()).then(({ clean, how }) => (clean ? [] : [`${app.name} ended ${how}`])));
    await Promise.race([app.ended, sleep(HEAD_START_MS)]);
  }
  const faults = (await Promise.all(stopping)).flat();
  if (faults.length > 0) throw new Error(faults.join('; '));
}
