import { existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** The first folder, from `dir` upwards, that not everybody may enter. What does not exist yet will be made with the usual mode. */
export function closedFolder(dir: string): string | undefined {
  for (let at = resolve(dir); ; at = dirname(at)) {
    if (existsSync(at) && (statSync(at).mode & 0o001) === 0) return at;
    if (at === dirname(at)) return undefined;
  }
}

/** Whether everybody may enter a folder and all above it. */
export function canEnter(dir: string): boolean {
  return closedFolder(dir) === undefined;
}
