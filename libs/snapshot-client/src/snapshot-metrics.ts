import type { SnapshotStatus } from './snapshot-status.js';

/** A metric in Prometheus's terms, free of any client library: who has one registers it and calls `collect` when scraped. */
export interface SnapshotMetric {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge';
  readonly labelNames: readonly string[];
  /** The values now; a counter's are totals since the start. */
  collect(): readonly { readonly labels: Readonly<Record<string, string>>; readonly value: number }[];
}

const GAUGES: readonly (readonly [name: string, help: string, read: (status: SnapshotStatus) => number | undefined])[] = [
  ['sluice_snapshot_version', 'Version of the rules in force.', ({ version }) => version],
  ['sluice_snapshot_age_seconds', 'Time since the control plane last confirmed the rules in force.', ({ ageMs }) => (ageMs === undefined ? undefined : ageMs / 1000)],
  ['sluice_snapshot_refusing', '1 while the last snapshot that was offered is not in force.', ({ refusal }) => (refusal === undefined ? 0 : 1)],
  ['sluice_snapshot_restored', '1 while the rules in force come from the copy on disk (R43).', ({ restored }) => (restored ? 1 : 0)],
  ['sluice_snapshot_stale', '1 while the control plane answers without its database.', ({ stale }) => (stale ? 1 : 0)],
  ['sluice_snapshot_unauthorized', '1 while the control plane refuses the token.', ({ unauthorized }) => (unauthorized ? 1 : 0)],
];

/** How the rules on this node stand (R56, R93). Version and age have no value before the first snapshot. */
export function snapshotMetrics(client: { status(): SnapshotStatus }): readonly SnapshotMetric[] {
  const gauges = GAUGES.map(([name, help, read]): SnapshotMetric => ({
    name,
    help,
    type: 'gauge',
    labelNames: [],
    collect() {
      const value = read(client.status());
      return value === undefined ? [] : [{ labels: {}, value }];
    },
  }));
  const refused: SnapshotMetric = {
    name: 'sluice_snapshot_refused_total',
    help: 'Snapshots that were offered and not taken.',
    type: 'counter',
    labelNames: [],
    collect: () => [{ labels: {}, value: client.status().refused }],
  };
  const polls: SnapshotMetric = {
    name: 'sluice_snapshot_polls_total',
    help: 'What polls came to; requests counts all of them.',
    type: 'counter',
    labelNames: ['outcome'],
    collect: () => Object.entries(client.status().polls).map(([outcome, value]) => ({ labels: { outcome }, value })),
  };
  return [...gauges, refused, polls];
}
