import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestRun } from './open-test-run.js';

// Only node: imports here: Jest's global teardown loads this file natively, without a compiler.

const CLOSE_TIMEOUT_MS = 20_000;

/** Ends every server of a run that this process opened and waits until its folder is gone. */
export async function closeTestRun({ dir, opened }: TestRun): Promise<void> {
  if (!opened || !existsSync(dir)) return;
  writeFileSync(join(dir, 'close'), ''); // No signal: in a very short run the reaper is not yet up to take one.
  const deadline = Date.now() + CLOSE_TIMEOUT_MS;
  while (existsSync(dir)) {
    if (Date.now() > deadline) throw new Error(`the servers of the test run in ${dir} did not end in ${CLOSE_TIMEOUT_MS} ms`);
    await sleep(20);
  }
}
