import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openTestRun } from './open-test-run.js';

/** An empty folder of one's own. */
export interface TemporaryFolder {
  readonly path: string;
  remove(): Promise<void>;
}

/** A folder that goes with the test run at the latest, however its processes end. @param name what its name begins with */
export async function temporaryFolder(name: string): Promise<TemporaryFolder> {
  const path = await mkdtemp(join(openTestRun().dir, 'data', `${name}-`));
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 5 }) };
}
