import type { EntityManager } from 'typeorm';
import type { ConfigTransaction } from '../database/config-transaction.js';
import { ADMIN_TOKENS, KEYS, OVERRIDES, PLANS, PROPOSALS, RULES, TENANTS } from '../database/tables.js';
import type { ResourceKind } from '../database/tombstone.entity.js';
import type { VersionedRow } from '../database/versioned-row.js';
import type { VersionedTable } from '../database/versioned-table.js';

interface LastEntry {
  readonly to_version: string | null;
  readonly after: object | null;
}

/**
 * Logs what is there and not in the log as it is: changed resources as a baseline, missing ones as deleted, in a version of its own. When and by whom it was
 * done cannot be told any more; until then the log goes on saying what was before.
 *
 * @returns how many resources there were
 */
export async function catchUp(tx: ConfigTransaction): Promise<number> {
  const before = tx.recorded.length;
  await compare(tx, PLANS);
  await compare(tx, RULES);
  await compare(tx, PROPOSALS);
  await compare(tx, OVERRIDES);
  await compare(tx, TENANTS);
  await compare(tx, KEYS);
  await compare(tx, ADMIN_TOKENS);
  const count = tx.recorded.length - before;
  if (count === 0) return 0;
  tx.annotate('found to have changed without a log');
  await logSnapshotVersion(tx.manager);
  await tx.versionFor('lists');
  return count;
}

async function compare<Row extends VersionedRow>(tx: ConfigTransaction, table: VersionedTable<Row>): Promise<void> {
  const logged = await lastEntries(tx.manager, table.kind);
  const changed: string[] = [];
  for (const { id, version } of await table.versions(tx.manager)) {
    if (Number(logged.get(id)?.to_version ?? 0) !== version) changed.push(id);
    logged.delete(id);
  }
  for (const row of await table.some(tx.manager, changed)) {
    tx.record({ kind: table.kind, id: row.id, action: 'baseline', fromVersion: null, toVersion: row.version, before: null, after: table.toJson(row) });
  }
  for (const [id, { to_version: version, after }] of logged) {
    if (version !== null) tx.record({ kind: table.kind, id, action: 'deleted', fromVersion: Number(version), toVersion: null, before: after, after: null });
  }
}

async function lastEntries(manager: EntityManager, kind: ResourceKind): Promise<Map<string, LastEntry>> {
  const rows = await manager.query<(LastEntry & { readonly id: string })[]>(
    `SELECT DISTINCT ON (id) id, to_version, after FROM audit_entry WHERE kind = $1 ORDER BY id DESC, version DESC, ordinal DESC`,
    [kind],
  );
  return new Map(rows.map(({ id, ...entry }) => [id, entry]));
}

/** The version that nodes hold has to have a time, or "what was in force" would name the one before. */
async function logSnapshotVersion(manager: EntityManager): Promise<void> {
  await manager.query(`UPDATE config_version SET changed_at = greatest(clock_timestamp(), changed_at + interval '1 microsecond')`);
  await manager.query(
    `INSERT INTO config_change (version, changed_at, actor, reaches_nodes) SELECT snapshot_version, changed_at, 'system:log-keeper', true FROM config_version
     ON CONFLICT (version) DO NOTHING`,
  );
}
