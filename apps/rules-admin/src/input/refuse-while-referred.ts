import type { EntityManager } from 'typeorm';
import type { VersionedRow } from '../database/versioned-row.js';
import type { VersionedTable } from '../database/versioned-table.js';
import { inUse } from './in-use.js';

/** Named in an answer. */
const MOST_NAMED = 5;

/** Rows that refer to another one. */
export interface References {
  readonly table: Pick<VersionedTable<VersionedRow>, 'idsWith'>;
  readonly property: string;
  readonly id: string;
  /** `tenants` */
  readonly plural: string;
  /** What to do about them, in a sentence. */
  readonly advice: string;
}

/**
 * Lets `what` go only when no row refers to it.
 *
 * @throws ProblemException 409 that names the first few
 */
export async function refuseWhileReferred(manager: EntityManager, what: string, { table, property, id, plural, advice }: References): Promise<void> {
  const ids = await table.idsWith(manager, property, id, MOST_NAMED + 1);
  if (ids.length > 0) throw inUse(what, `${plural} (${ids.slice(0, MOST_NAMED).join(', ')}${ids.length > MOST_NAMED ? ' and more' : ''})`, advice);
}
