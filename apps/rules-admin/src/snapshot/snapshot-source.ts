import type { ClientBase } from 'pg';
import type { ResourceKind } from '../database/tombstone.entity.js';
import type { VersionedRow } from '../database/versioned-row.js';
import { publishedOverride } from '../overrides/override-json.js';
import type { OverrideRow } from '../overrides/override.entity.js';
import { planJson } from '../plans/plan-json.js';
import type { PlanRow } from '../plans/plan.entity.js';
import { ruleJson } from '../rules/rule-json.js';
import type { RuleRow } from '../rules/rule.entity.js';
import type { PartName } from './snapshot-parts.js';

/** An item before it is text. */
export interface SourceItem {
  readonly id: string;
  readonly changedAt: number;
  readonly json: object;
}

/** A table whose rows are in the snapshot. */
export interface SnapshotSource {
  /** What its tombstones are called. */
  readonly kind: ResourceKind;
  /** Where its rows go. */
  readonly part: PartName;
  /** What a row is called there. */
  readonly itemId: (id: string) => string;
  /** The rows that changed after version `after`. */
  readonly changed: (client: ClientBase, after: number) => Promise<readonly SourceItem[]>;
}

interface SourceOptions<Row> {
  readonly kind: ResourceKind;
  readonly part: PartName;
  /** Columns and table, without the condition. Plain SQL: entities of ten thousand rows cost more than all the rest. */
  readonly select: string;
  readonly json: (row: Row) => object;
  /** Default: its own id. */
  readonly itemId?: (id: string) => string;
}

function source<Row extends Pick<VersionedRow, 'id' | 'changedAtVersion'>>({ kind, part, select, json, itemId = (id) => id }: SourceOptions<Row>): SnapshotSource {
  return {
    kind,
    part,
    itemId,
    async changed(client, after) {
      const { rows } = await client.query<Row>(`${select} WHERE changed_at_version > $1`, [after]);
      return rows.map((row) => ({ id: itemId(row.id), changedAt: row.changedAtVersion, json: json(row) }));
    },
  };
}

const COMMON = `version, changed_at_version AS "changedAtVersion"`;

/** All of the snapshot; one line a table. */
export const SNAPSHOT_SOURCES: readonly SnapshotSource[] = [
  source<PlanRow>({ kind: 'plan', part: 'plans', select: `SELECT plan_id AS id, name, default_limit AS "defaultLimit", ${COMMON} FROM plan`, json: planJson }),
  source<RuleRow>({ kind: 'rule', part: 'rules', select: `SELECT rule_id AS id, plan, endpoint, definition, ${COMMON} FROM rule`, json: ruleJson }),
  source<OverrideRow>({ kind: 'override', part: 'overrides', select: `SELECT override_id AS id, rule_id AS "ruleId", key_id AS "keyId", "limit", burst, expires_at AS "expiresAt", ${COMMON} FROM override`, json: publishedOverride }),
];
