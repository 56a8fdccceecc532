import { aptInstall } from './apt-install.js';
import { findOnPath } from './find-on-path.js';

/** The load generator h2load of nghttp2; installed where that can be, else undefined. */
export async function findH2load(): Promise<string | undefined> {
  return findOnPath('h2load') ?? (await aptInstall('nghttp2-client', 'h2load'));
}
