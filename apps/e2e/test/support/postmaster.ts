import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The pid of the PostgreSQL server on `<dataDir>/postgres/data`; undefined when none has it. */
export function postmasterPid(dataDir: string): number | undefined {
  const file = join(dataDir, 'postgres/data/postmaster.pid');
  return existsSync(file) ? Number.parseInt(readFileSync(file, 'utf8'), 10) : undefined;
}
