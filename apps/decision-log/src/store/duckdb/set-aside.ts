import { mkdir, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Part, partFile } from './parts.js';

/** Folder, within that of the store, of files that the store cannot make sense of: it neither reads nor removes what is there. */
export const ASIDE_FOLDER = 'set-aside';

/** Takes a file out of the folder of the parts. @returns where it lies now */
export async function setAside(dir: string, part: Pick<Part, 'path'>): Promise<string> {
  const aside = join(dir, ASIDE_FOLDER, part.path);
  await mkdir(dirname(aside), { recursive: true, mode: 0o700 });
  await rename(partFile(dir, part), aside);
  return aside;
}
