import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

// Only node: imports here: Jest's global setup loads this file natively, without a compiler.

/** A test run: what its processes share, and what ends with it. */
export interface TestRun {
  readonly dir: string;
  /** Whether this call opened it; whoever opened it may close it. */
  readonly opened: boolean;
}

/**
 * Joins the run that `SLUICE_TEST_RUN_DIR` names, or opens one (there, or in a new folder) and names it in
 * this process's environment, so that its children join. The run lasts as long as its owner: the process
 * `SLUICE_TEST_RUN_OWNER`, or else the one that opened it.
 */
export function openTestRun(): TestRun {
  const named = process.env['SLUICE_TEST_RUN_DIR'];
  if (named !== undefined && existsSync(named)) return { dir: named, opened: false };

  const parent = named === undefined ? tmpdir() : dirname(named);
  mkdirSync(parent, { recursive: true });
  const fresh = mkdtempSync(join(parent, 'sluice-test-'));
  // PostgreSQL refuses to run as root; the OS user that it runs as must get through to its data.
  for (const dir of [fresh, ...['servers', 'data', 'shared'].map((name) => join(fresh, name))]) {
    mkdirSync(dir, { recursive: true });
    chmodSync(dir, 0o711); // Not as mkdir's mode, which the umask narrows.
  }

  const dir = named ?? fresh;
  if (dir !== fresh) {
    try {
      renameSync(fresh, dir);
    } catch {
      rmSync(fresh, { recursive: true });
      return { dir, opened: false }; // Another process of the run was faster.
    }
  }
  process.env['SLUICE_TEST_RUN_DIR'] = dir;
  startReaper(dir, process.env['SLUICE_TEST_RUN_OWNER'] ?? String(process.pid));
  return { dir, opened: true };
}

function startReaper(dir: string, ownerPid: string): void {
  const script = import.meta.url.endsWith('.ts') ? './reaper.ts' : './reaper.js';
  const reaper = spawn(process.execPath, [fileURLToPath(new URL(script, import.meta.url)), dir, ownerPid], {
    cwd: '/',
    detached: true,
    stdio: 'ignore',
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  if (reaper.pid === undefined) throw new Error(`no reaper for the test run in ${dir}: ${process.execPath} did not start`);
  reaper.unref();
}
