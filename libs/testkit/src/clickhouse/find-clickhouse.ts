import { join } from 'node:path';
import { aptInstall } from '../find/apt-install.js';
import { findOnPath } from '../find/find-on-path.js';
import { wheelChdb } from './wheel-chdb.js';

/** How to run ClickHouse's engine behind HTTP: `python serve_chdb.py PORT DATA_DIR`. */
export interface ClickHouseProgram {
  readonly python: string;
  /** Where Python finds the engine. */
  readonly packages: string;
}

/** Why there is none. */
export interface ClickHouseMissing {
  readonly missing: string;
}

/**
 * The real engine out of PyPI's wheel `chdb-core`. Where it cannot be had (no Python of at least 3.9, no network, no wheel for this machine) the reason,
 * which stderr has too: Debian has no package of ClickHouse, so that its tests are skipped by name there.
 */
export async function findClickHouse(): Promise<ClickHouseProgram | ClickHouseMissing> {
  const python = findOnPath('python3') ?? (await aptInstall('python3-pip', 'python3'));
  if (python === undefined) return missing('there is no python3 to run it in');
  try {
    return { python, packages: await wheelChdb(python) };
  } catch (error) {
    return missing(`pip did not bring chdb-core: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** The program that stands before the engine, the same from `src` and from `dist`. */
export const SERVE_CHDB = join(import.meta.dirname, '../../chdb/serve_chdb.py');

function missing(why: string): ClickHouseMissing {
  process.stderr.write(`testkit: NO CLICKHOUSE HERE, TESTS WITH IT ARE SKIPPED: ${why}. Name a server in SLUICE_TEST_CLICKHOUSE_URL for those that break nothing.\n`);
  return { missing: why };
}
