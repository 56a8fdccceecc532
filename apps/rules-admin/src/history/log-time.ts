import { problem, ProblemException, problemType } from '@sluice/platform';
import type { EntityManager } from 'typeorm';
import { invalid } from '../input/invalid.js';

/** The versions that held at a time. */
export interface VersionsAt {
  /** Global version: the last one committed by then. */
  readonly version: number;
  /** The last one by then that reached nodes: the version of the snapshot. */
  readonly snapshotVersion: number;
  readonly epoch: string;
  /** Where the log begins, and where it is now. */
  readonly firstVersion: number;
  readonly lastVersion: number;
}

interface Found {
  readonly epoch: string;
  readonly is_future: boolean;
  readonly is_settled: boolean;
  readonly version: string | null;
  readonly snapshot_version: string | null;
  readonly began_at: string | null;
  readonly first_version: string | null;
  readonly last_version: string;
}

/**
 * The versions that held at `at`. A version gets its time a moment before its commit, and the answer for a time must never change: for one that is later than the last commit's the
 * writer under way, if there is one, is waited for. Times rise as versions do, so that nothing under way can get a time up to the last commit's, and there is nothing to wait for.
 *
 * @param writer returns once all who had the version lock when it was called have let it go
 * @throws ProblemException 400 for the future, 404 for before the log began
 */
export async function versionsAt(manager: EntityManager, at: string, writer: () => Promise<unknown>): Promise<VersionsAt> {
  let found = await find(manager, at);
  // Before the wait: whoever takes the lock after it takes a later time than this clock has.
  if (found.is_future) throw invalid([{ pointer: '/query/at', detail: 'must not be in the future, by the clock of the database' }]);
  if (!found.is_settled) {
    await writer();
    found = await find(manager, at);
  }
  if (found.version === null || found.snapshot_version === null) throw beforeLog(found.began_at);
  return { version: Number(found.version), snapshotVersion: Number(found.snapshot_version), epoch: found.epoch, firstVersion: Number(found.first_version), lastVersion: Number(found.last_version) };
}

async function find(manager: EntityManager, at: string): Promise<Found> {
  const [found] = await manager.query<Found[]>(
    `SELECT epoch, version AS last_version, (SELECT min(version) FROM config_change) AS first_version, $1::timestamptz > clock_timestamp() AS is_future, $1::timestamptz <= changed_at AS is_settled,
            (SELECT version FROM config_change WHERE changed_at <= $1::timestamptz ORDER BY changed_at DESC, version DESC LIMIT 1) AS version,
            (SELECT version FROM config_change WHERE changed_at <= $1::timestamptz AND reaches_nodes ORDER BY changed_at DESC, version DESC LIMIT 1) AS snapshot_version,
            (SELECT to_char(changed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') FROM config_change ORDER BY changed_at LIMIT 1) AS began_at
     FROM config_version`,
    [at],
  );
  if (found === undefined) throw new Error('The row of config_version is gone.');
  return found;
}

function beforeLog(beganAt: string | null): ProblemException {
  const detail = `What was in force then is not known: the log begins at ${beganAt ?? 'no time yet'}.`;
  return new ProblemException(problem(404, { type: problemType('before-log'), title: 'Before the log began', detail, log_begins_at: beganAt }));
}
