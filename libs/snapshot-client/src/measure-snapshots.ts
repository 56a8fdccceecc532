import type * as promClient from 'prom-client';
import type { SnapshotStatus } from './snapshot-status.js';

export interface MeasureSnapshotsOptions {
  /** Handed in, so that who embeds the client without Prometheus does not load it. */
  readonly prom: Pick<typeof promClient, 'Counter' | 'Gauge'>;
  readonly registry: promClient.Registry;
  readonly client: { status(): SnapshotStatus };
}

/** Registers how the rules on this node stand (R56, R93). Version and age are absent before the first snapshot. */
export function measureSnapshots({ prom, registry, client }: MeasureSnapshotsOptions): void {
  const gauges: readonly (readonly [name: string, help: string, read: (status: SnapshotStatus) => number | undefined])[] = [
    ['sluice_snapshot_version', 'Version of the rules in force.', ({ version }) => version],
    ['sluice_snapshot_age_seconds', 'Time since the control plane last confirmed the rules in force.', ({ ageMs }) => (ageMs === undefined ? undefined : ageMs / 1000)],
    ['sluice_snapshot_refusing', '1 while the last snapshot that was offered is not in force.', ({ refusal }) => (refusal === undefined ? 0 : 1)],
    ['sluice_snapshot_unauthorized', '1 while the control plane refuses the token.', ({ unauthorized }) => (unauthorized ? 1 : 0)],
  ];
  for (const [name, help, read] of gauges) {
    new prom.Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        const value = read(client.status());
        if (value === undefined) this.remove();
        else this.set(value);
      },
    });
  }
  new prom.Counter({
    name: 'sluice_snapshot_refused_total',
    help: 'Snapshots that were offered and not taken.',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(client.status().refused);
    },
  });
  new prom.Counter({
    name: 'sluice_snapshot_polls_total',
    help: 'What polls came to; requests counts all of them.',
    labelNames: ['outcome'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [outcome, count] of Object.entries(client.status().polls)) this.inc({ outcome }, count);
    },
  });
}
