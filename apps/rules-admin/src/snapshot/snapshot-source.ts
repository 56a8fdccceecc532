import { canonicalText, inSlices, mapInSteps, proposedId } from '@sluice/rules';
import type { ClientBase } from 'pg';
import type { ResourceKind } from '../database/tombstone.entity.js';
import type { VersionedRow } from '../database/versioned-row.js';
import { planJson } from '../plans/plan-json.js';
import type { PlanRow } from '../plans/plan.entity.js';
import { proposalJson, publishedProposal } from '../proposals/proposal-json.js';
import type { ProposalRow } from '../proposals/proposal.entity.js';
import { ruleJson } from '../rules/rule-json.js';
import type { RuleRow } from '../rules/rule.entity.js';
import { OVERRIDE_COLUMNS, type OverrideRecord } from './override-record.js';
import type { SnapshotItem } from './snapshot-part.js';
import type { PartName } from './snapshot-parts.js';

/** Rows as they were read. */
export interface SourceRows {
  /** Made in slices, once. */
  items(): Promise<readonly SnapshotItem[]>;
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
  readonly rowsAfter: (client: ClientBase, after: number) => Promise<SourceRows>;
}

interface SourceOptions<Row> {
  readonly kind: ResourceKind;
  readonly part: PartName;
  /** Columns beside the version of the last change, and table. Plain SQL: entities of ten thousand rows cost more than all the rest. */
  readonly columns: string;
  readonly table: string;
  /** Its canonical JSON. */
  readonly text: (row: Row) => string;
  /** Default: its own id. */
  readonly itemId?: (id: string) => string;
}

/** Rows that the server sends before it is asked for more: as many as there are would be parsed without a turn for anything else. */
const ROWS_AT_A_TIME = 2_000;

function source<Row extends Pick<VersionedRow, 'id' | 'changedAtVersion'>>({ kind, part, columns, table, text: textOf, itemId = (id) => id }: SourceOptions<Row>): SnapshotSource {
  // In the order in which they are wanted, so that little is left to sort.
  const text = `SELECT ${columns}, changed_at_version AS "changedAtVersion" FROM ${table} WHERE changed_at_version > $1 ORDER BY 1`;
  return {
    kind,
    part,
    itemId,
    async rowsAfter(client, after) {
      const query = { text, values: [after], rows: ROWS_AT_A_TIME };
      const { rows } = await client.query<Row>(query);
      return { items: () => inSlices(mapInSteps(rows, (row) => ({ id: itemId(row.id), changedAt: row.changedAtVersion, text: textOf(row) }))) };
    },
  };
}

/** All of the snapshot; one entry a table. */
export const SNAPSHOT_SOURCES: readonly SnapshotSource[] = [
  source<PlanRow>({ kind: 'plan', part: 'plans', columns: 'plan_id AS id, name, default_limit AS "defaultLimit", version', table: 'plan', text: (row) => canonicalText(planJson(row)) }),
  source<RuleRow>({ kind: 'rule', part: 'rules', columns: 'rule_id AS id, plan, endpoint, definition, version', table: 'rule', text: (row) => canonicalText(ruleJson(row)) }),
  source<ProposalRow>({ kind: 'proposal', part: 'rules', columns: 'rule_id AS id, plan, endpoint, definition, base_version AS "baseVersion", version', table: 'proposal', text: (row) => canonicalText(publishedProposal(proposalJson(row))), itemId: proposedId }),
  source<OverrideRecord>({ kind: 'override', part: 'overrides', columns: OVERRIDE_COLUMNS, table: 'override', text: ({ text }) => text }),
];
