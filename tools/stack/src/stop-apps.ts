import type { AppProcess } from './app-process.js';

/** A gateway answers what it has accepted for up to 7 s, then returns its leases; all has to be over in 10 s (R44). */
const FIRST_GRACE_MS = 8_000;
/** What the others get at least, when the first took all. */
const LEAST_GRACE_MS = 400;

/**
 * Stops the apps one after the other in the given order: whoever asks before whom it asks.
 *
 * @throws Error that names those that had to be killed or ended with a fault
 */
export async function stopApps(apps: readonly AppProcess[]): Promise<void> {
  const deadline = Date.now() + FIRST_GRACE_MS;
  const faults: string[] = [];
  for (const app of apps.filter(({ running }) => running)) {
    const { clean, how } = await app.stop(Math.max(LEAST_GRACE_MS, deadline - Date.now()));
    if (!clean) faults.push(`${app.name} ended ${how}`);
  }
  if (faults.length > 0) throw new Error(faults.join('; '));
}
