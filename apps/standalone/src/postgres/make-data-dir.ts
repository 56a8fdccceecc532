import { StartError } from '@sluice/platform';
import { accessSync, constants, mkdirSync, statSync, type Stats } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { hasCode } from './has-code.js';

/**
 * Looks whether there can be a folder, before anything is touched: the nearest thing above it that exists, or the folder itself, is one
 * that this process may write in.
 *
 * @throws StartError that names SLUICE_DATA_DIR
 */
export function assertCanMake(dir: string): void {
  let at = resolve(dir);
  let found = look(at, dir);
  while (found === undefined) {
    at = dirname(at);
    found = look(at, dir);
  }
  if (!found.isDirectory()) throw unusable(dir, `${at} is not a folder`);
  attempt(dir, () => accessSync(at, constants.W_OK | constants.X_OK));
}

/**
 * Makes a folder and those above it, one after the other: Node's recursive way never ends where a file system that takes no folders
 * (/proc) says that the one above does not exist.
 *
 * @throws StartError that names SLUICE_DATA_DIR
 */
export function makeDataDir(dir: string): void {
  assertCanMake(dir);
  const missing: string[] = [];
  for (let at = resolve(dir); look(at, dir) === undefined; at = dirname(at)) missing.unshift(at);
  for (const each of missing) {
    attempt(dir, () => {
      try {
        mkdirSync(each, { mode: 0o755 });
      } catch (error) {
        if (!hasCode(error, 'EEXIST')) throw error; // Another process was faster.
      }
    });
  }
}

/** What is there; undefined when nothing is, or what is above it is not a folder. */
function look(path: string, dir: string): Stats | undefined {
  return attempt(dir, () => {
    try {
      return statSync(path);
    } catch (error) {
      if (hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR')) return undefined;
      throw error;
    }
  });
}

function attempt<T>(dir: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw unusable(dir, String(error));
  }
}

function unusable(dir: string, why: string): StartError {
  return new StartError(`the data cannot be kept in ${dir} (${why}): set SLUICE_DATA_DIR to a folder that can be written in`);
}
