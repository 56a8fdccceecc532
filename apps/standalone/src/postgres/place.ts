import { StartError } from '@sluice/platform';
import { canEnter, type OsUser, packageName, packagedPrograms, reachablePrograms } from '@sluice/postgres-programs';
import { createHash } from 'node:crypto';
import { existsSync, lstatSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** Where PostgreSQL's programs and data are. */
export interface Place {
  /** Folder that holds `bin`, `lib` and `share`. */
  readonly programsDir: string;
  /** Folder of this instance: the data in `data`, beside it what starts and stops it needs. */
  readonly homeDir: string;
}

/** Where those go that another OS user has to reach when it cannot enter the project's folder; kept over a reboot, unlike /tmp. */
const REACHABLE_ROOT = '/var/tmp';

/**
 * Chooses folders that the server's OS user can reach: `dataDir` and the npm package where that works, else (root, with the project
 * below a closed folder such as /root) a folder of this project's own below /var/tmp, with a copy of the programs.
 */
export async function choosePlace(dataDir: string, user: OsUser | undefined): Promise<Place> {
  const native = await packagedPrograms();
  if (native === undefined) {
    throw new StartError(`there is no embedded PostgreSQL for this machine (${packageName()} is not installed): set SLUICE_DATABASE_URL to a PostgreSQL server`);
  }
  const wanted = resolve(dataDir, 'postgres');
  if (user === undefined) return { programsDir: native, homeDir: wanted };
  const ownDir = join(REACHABLE_ROOT, `sluice-${createHash('sha256').update(wanted).digest('hex').slice(0, 12)}`);
  // Everybody may make folders there: one that waits for us may hold programs of somebody else's.
  if (existsSync(ownDir) && lstatSync(ownDir).uid !== 0) throw new StartError(`${ownDir} belongs to another user: remove it, or set SLUICE_DATA_DIR to a folder that everybody may enter`);
  return {
    programsDir: reachablePrograms(native, user, join(ownDir, 'programs')),
    homeDir: canEnter(dirname(wanted)) ? wanted : join(ownDir, 'postgres'),
  };
}
