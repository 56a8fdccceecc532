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
  readonly version: string | null;
  readonly snapshot_version: string | null;
  readonly began_at: string | null;
  readonly first_version: string | null;
  readonly last_version: string;
}

/**
 * The versions that held at `at`. The row that writers lock is waited for: a version gets its time a moment before its commit, so that the answer for a moment ago
 * could else be one that is no longer true.
 *
 * @throws ProblemException 400 for the future, 404 for before the log began
 */
export async function versionsAt(manager: EntityManager, at: string): Promise<VersionsAt> {
  await manager.query('SELECT 1 FROM config_version FOR SHARE');
  const [found] = await manager.query<Found[]>(
    `SELECT epoch, version AS last_version, (SELECT min(version) FROM config_change) AS first_version, $1::timestamptz > clock_timestamp() AS is_future,
            (SELECT version FROM config_change WHERE changed_at <= $1::timestamptz ORDER BY changed_at DESC, version DESC LIMIT 1) AS version,
            (SELECT version FROM config_change WHERE changed_at <= $1::timestamptz AND reaches_nodes ORDER BY changed_at DESC, version DESC LIMIT 1) AS snapshot_version,
            (SELECT to_char(changed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') FROM config_change ORDER BY changed_at LIMIT 1) AS began_at
     FROM config_version`,
    [at],
  );
  if (found === undefined) throw new Error('The row of config_version is gone.');
  if (found.is_future) throw invalid([{ pointer: '/query/at', detail: 'must not be in the future, by the clock of the database' }]);
  if (found.version === null || found.snapshot_version === null) throw beforeLog(found.began_at);
  return { version: Number(found.version), snapshotVersion: Number(found.snapshot_version), epoch: found.epoch, firstVersion: Number(found.first_version), lastVersion: Number(found.last_version) };
}

function beforeLog(beganAt: string | null): ProblemException {
  const detail = `What was in force then is not known: the log begins at ${beganAt ?? 'no time yet'}.`;
  return new ProblemException(problem(404, { type: problemType('before-log'), title: 'Before the log began', detail, log_begins_at: beganAt }));
}
