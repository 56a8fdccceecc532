import { closedFolder } from '@sluice/postgres-programs';
import { dirname } from 'node:path';

/** Fails when another OS user cannot get to a folder because one above it is closed, as those of `mktemp -d` are. */
export function assertReachable(dir: string): void {
  const closed = closedFolder(dirname(dir));
  if (closed !== undefined) {
    throw new Error(
      `PostgreSQL runs as the OS user postgres, who may not enter ${closed}: set TMPDIR, or SLUICE_TEST_RUN_DIR, to a place that everybody may enter, such as /tmp`,
    );
  }
}
