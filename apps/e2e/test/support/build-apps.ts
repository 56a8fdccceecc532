import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

/** The repository. */
export const ROOT = join(import.meta.dirname, '../../../..');
export const BUILD_TIMEOUT_MS = 300_000;

const PROJECTS = ['apps/standalone', 'apps/rules-admin', 'apps/decision', 'apps/gateway', 'apps/decision-log', 'tools/stack', 'examples/express', 'examples/fastify', 'examples/nest'];

/** Builds what the stories run, once for all workers of a Jest run: two builds at a time would write the same files. */
export async function buildApps(): Promise<void> {
  const run = process.env['SLUICE_TEST_RUN_DIR'];
  if (run === undefined) throw new Error('there is no test run: start Jest through the configuration at the root');
  const [lock, done] = [join(run, 'shared/apps-build'), join(run, 'shared/apps-built')];
  if (first(lock)) {
    const problem = await compile();
    writeFileSync(`${done}.new`, problem);
    renameSync(`${done}.new`, done);
    if (problem !== '') throw new Error(problem);
    return;
  }
  for (const deadline = Date.now() + BUILD_TIMEOUT_MS; !existsSync(done); await sleep(50)) {
    if (Date.now() > deadline) throw new Error('another worker builds, and does not come to an end');
  }
  const problem = readFileSync(done, 'utf8');
  if (problem !== '') throw new Error(problem);
}

function first(lock: string): boolean {
  try {
    mkdirSync(lock);
    return true;
  } catch {
    return false;
  }
}

/** @returns what is wrong, empty when nothing is */
async function compile(): Promise<string> {
  try {
    await promisify(execFile)(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-b', ...PROJECTS], { cwd: ROOT });
    return '';
  } catch (error) {
    const said = typeof error === 'object' && error !== null && 'stdout' in error ? String(error.stdout) : String(error);
    return `tsc -b failed:\n${said}`;
  }
}
