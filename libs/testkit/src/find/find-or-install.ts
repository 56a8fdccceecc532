import { delimiter } from 'node:path';
import { aptInstall } from './apt-install.js';
import { findOnPath } from './find-on-path.js';

/** Where Debian keeps servers, which are not on every user's `PATH`. */
const SBIN = ['/usr/sbin', '/usr/local/sbin'].join(delimiter);

/**
 * The path of a program: from `PATH` or where Debian keeps servers, else installed by apt-get when root on Debian, where the package has its name.
 *
 * @throws Error that says what to install
 */
export async function findOrInstall(name: string): Promise<string> {
  const path = findOnPath(name) ?? findOnPath(name, SBIN) ?? (await aptInstall(name, name));
  if (path !== undefined) return path;
  throw new Error(`${name} is not on PATH, and it can be installed from here only as root on Debian or Ubuntu. Install it (apt-get install ${name}, brew install ${name}).`);
}
