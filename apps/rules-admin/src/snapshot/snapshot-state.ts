import { type Plan, type Rule, type Snapshot, snapshotChecksum, type SnapshotDelta } from '@sluice/rules';
import type { ConfigVersionRow } from '../database/config-version.entity.js';
import type { TombstoneRow } from '../database/tombstone.entity.js';
import { planJson } from '../plans/plan-json.js';
import type { PlanRow } from '../plans/plan.entity.js';
import { ruleJson } from '../rules/rule-json.js';
import type { RuleRow } from '../rules/rule.entity.js';

interface Changed<T> {
  readonly at: number;
  readonly item: T;
}

/** Rows of one consistent read. */
export interface SnapshotRows {
  readonly version: ConfigVersionRow;
  readonly plans: readonly PlanRow[];
  readonly rules: readonly RuleRow[];
  readonly tombstones: readonly TombstoneRow[];
}

/** The tag of the snapshot at a version; another life of the database has other tags. */
export function snapshotTag({ snapshotVersion, epoch }: Pick<ConfigVersionRow, 'snapshotVersion' | 'epoch'>): string {
  return `s${snapshotVersion}-${epoch}`;
}

/** Everything that can be said of one snapshot version, made once and served to every node. */
export class SnapshotState {
  readonly tag: string;
  readonly version: number;
  readonly epoch: string;
  readonly checksum: string;
  /** The whole snapshot as JSON. */
  readonly whole: Buffer;
  private readonly plans: readonly Changed<Plan>[];
  private readonly rules: readonly Changed<Rule>[];
  private readonly tombstones: readonly TombstoneRow[];

  constructor({ version, plans, rules, tombstones }: SnapshotRows) {
    this.tag = snapshotTag(version);
    this.version = version.snapshotVersion;
    this.epoch = version.epoch;
    this.plans = plans.map((row) => ({ at: row.changedAtVersion, item: planJson(row) }));
    this.rules = rules.map((row) => ({ at: row.changedAtVersion, item: ruleJson(row) }));
    this.tombstones = tombstones;
    const snapshot: Snapshot = { version: this.version, plans: this.plans.map(({ item }) => item), rules: this.rules.map(({ item }) => item), overrides: [] };
    this.checksum = snapshotChecksum(snapshot);
    this.whole = Buffer.from(JSON.stringify(snapshot));
  }

  /**
   * The changes after version `since`; undefined when the whole is the better answer: for a version that was never handed out here, and
   * when the changes are as many as the parts of the whole.
   */
  deltaSince(since: number): SnapshotDelta | undefined {
    if (since > this.version) return undefined;
    const changed = <T>(items: readonly Changed<T>[]): T[] => items.filter(({ at }) => at > since).map(({ item }) => item);
    const deleted = (kind: TombstoneRow['kind']): string[] => this.tombstones.filter((tombstone) => tombstone.kind === kind && tombstone.changedAtVersion > since).map(({ id }) => id);
    const delta: SnapshotDelta = {
      since,
      version: this.version,
      plans: changed(this.plans),
      deleted_plans: deleted('plan'),
      rules: changed(this.rules),
      deleted_rules: deleted('rule'),
      overrides: [],
      deleted_overrides: [],
    };
    const changes = delta.plans.length + delta.deleted_plans.length + delta.rules.length + delta.deleted_rules.length;
    return changes > 0 && changes >= this.plans.length + this.rules.length ? undefined : delta;
  }
}
