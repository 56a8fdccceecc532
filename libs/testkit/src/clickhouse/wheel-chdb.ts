import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { withLock } from '../run/with-lock.js';

const run = promisify(execFile);
const DOWNLOAD_TIMEOUT_MS = 300_000;
/** As in `chdb/requirements.txt`, which has the hashes. */
const CHDB_VERSION = '26.9.0';
const REQUIREMENTS = join(import.meta.dirname, '../../chdb/requirements.txt');

/**
 * The folder of the Python package that holds ClickHouse's engine, brought by pip once into `~/.cache/sluice/chdb-VERSION` (181 MB to fetch, 560 MB on
 * disk; `XDG_CACHE_HOME` is heeded). Rejects where pip cannot be had, or has no wheel of the pinned hashes for this machine.
 */
export async function wheelChdb(python: string): Promise<string> {
  const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'sluice');
  const packages = join(cache, `chdb-${CHDB_VERSION}`);
  mkdirSync(cache, { recursive: true });
  if (!existsSync(packages)) await withLock(`${packages}.lock`, DOWNLOAD_TIMEOUT_MS, () => download(python, cache, packages));
  return packages;
}

async function download(python: string, cache: string, packages: string): Promise<void> {
  if (existsSync(packages)) return;
  process.stderr.write(`testkit: fetching ClickHouse's engine (chdb-core ${CHDB_VERSION}) from PyPI into ${packages}\n`);
  const draft = mkdtempSync(join(cache, 'chdb-draft-'));
  try {
    // A folder of its own instead of a venv: Debian's python3 makes none without a further package, and installs nothing beside its own ones.
    const how = ['--disable-pip-version-check', '-q', '--no-deps', '--only-binary', ':all:', '--require-hashes', '--target', join(draft, 'packages')];
    await run(python, ['-m', 'pip', 'install', ...how, '-r', REQUIREMENTS], { timeout: DOWNLOAD_TIMEOUT_MS });
    renameSync(join(draft, 'packages'), packages); // The whole of it or nothing.
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}
