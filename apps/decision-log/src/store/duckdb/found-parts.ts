import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PARTS_FOLDER } from './database.js';
import { hourOfFolder } from './hours.js';
import { type Part, partFile } from './parts.js';
import { UNFINISHED } from './write-part.js';

/** What a part's file is called. */
const PART_NAME = /^[0-9a-f-]{36}\.parquet$/;

/** The files of parts that lie in the folder, which is made where it is missing; what was left half written is removed. */
export async function findParts(dir: string): Promise<Pick<Part, 'path' | 'hourMs'>[]> {
  await mkdir(join(dir, PARTS_FOLDER), { recursive: true, mode: 0o700 });
  const found: Pick<Part, 'path' | 'hourMs'>[] = [];
  for (const folder of await readdir(join(dir, PARTS_FOLDER))) {
    const hourMs = hourOfFolder(folder);
    if (hourMs === undefined) continue;
    for (const name of await readdir(join(dir, PARTS_FOLDER, folder))) {
      const path = `${folder}/${name}`;
      if (PART_NAME.test(name)) found.push({ path, hourMs });
      else if (name.endsWith(UNFINISHED) && PART_NAME.test(name.slice(0, -UNFINISHED.length))) await rm(partFile(dir, { path }), { force: true });
    }
  }
  return found;
}
