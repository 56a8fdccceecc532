import { execFile } from 'node:child_process';
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { withLock } from '../run/with-lock.js';
import { findOnPath } from './find-on-path.js';

const run = promisify(execFile);
const INSTALL_TIMEOUT_MS = 300_000;
const LISTS = '/var/lib/apt/lists';
const POLICY = '/usr/sbin/policy-rc.d';

/** Whether this process may install packages of Debian. */
export function canAptInstall(): boolean {
  return process.getuid?.() === 0 && existsSync('/etc/debian_version') && findOnPath('apt-get') !== undefined;
}

/**
 * Installs a package of Debian and returns the path of `binary`; undefined when this process is not root on
 * Debian. Parallel callers install once. The package's own service is not started: Debian asks policy-rc.d.
 */
export async function aptInstall(packageName: string, binary: string): Promise<string | undefined> {
  if (!canAptInstall()) return undefined;
  return withLock(join(tmpdir(), 'sluice-apt-get.lock'), INSTALL_TIMEOUT_MS, async () => {
    const already = findOnPath(binary);
    if (already !== undefined) return already;
    process.stderr.write(`testkit: ${binary} is not here; installing Debian's ${packageName}\n`);
    await withoutServiceStart(async () => {
      const listed = existsSync(LISTS) && readdirSync(LISTS).some((name) => name.includes('_Packages'));
      if (!listed) await aptGet('update');
      try {
        await aptGet('install', '-y', '--no-install-recommends', packageName);
      } catch {
        await aptGet('update'); // Old lists name versions that the mirror has dropped.
        await aptGet('install', '-y', '--no-install-recommends', packageName);
      }
    });
    return findOnPath(binary);
  });
}

async function aptGet(...args: string[]): Promise<void> {
  await run('apt-get', ['-q', '-o', 'DPkg::Lock::Timeout=120', ...args], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    timeout: INSTALL_TIMEOUT_MS,
    maxBuffer: 64 * 1024 * 1024,
  });
}

/** Debian's maintainer scripts start no service while policy-rc.d answers 101 (forbidden). */
async function withoutServiceStart(work: () => Promise<void>): Promise<void> {
  const own = !existsSync(POLICY);
  if (own) writeFileSync(POLICY, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    await work();
  } finally {
    if (own) rmSync(POLICY, { force: true });
  }
}
