import * as prom from 'prom-client';
import { measureSnapshots } from './measure-snapshots.js';
import { snapshotReadiness } from './snapshot-readiness.js';
import type { SnapshotStatus } from './snapshot-status.js';

const POLLS = { requests: 3, whole: 1, delta: 0, unchanged: 1, failed: 1 };
const STARTING: SnapshotStatus = { version: undefined, ageMs: undefined, lastError: undefined, refusal: undefined, refused: 0, unauthorized: false, polls: POLLS };
const REFUSING: SnapshotStatus = { ...STARTING, version: 7, ageMs: 1500, refusal: 'the snapshot is not valid', refused: 2 };

describe('R56 readiness and metrics of the rules', () => {
  it('is not ready before the first snapshot, and says why', () => {
    expect(snapshotReadiness({ ...STARTING, lastError: 'no route', unauthorized: true })).toEqual({ ok: false, detail: 'no snapshot yet; token refused: no route' });
  });

  it('stays ready on old rules and says that a snapshot was refused', () => {
    expect(snapshotReadiness(REFUSING)).toEqual({
      ok: true,
      detail: 'version 7, confirmed 1500 ms ago; refused the last snapshot (2 in all): the snapshot is not valid',
    });
  });

  it('shows version, age and refusals', async () => {
    const registry = new prom.Registry();
    let status = STARTING;
    measureSnapshots({ prom, registry, client: { status: () => status } });
    expect(await registry.metrics()).not.toMatch(/^sluice_snapshot_version \d/m);
    status = REFUSING;
    const lines = (await registry.metrics()).split('\n');
    for (const line of [
      'sluice_snapshot_version 7',
      'sluice_snapshot_age_seconds 1.5',
      'sluice_snapshot_refusing 1',
      'sluice_snapshot_refused_total 2',
      'sluice_snapshot_unauthorized 0',
      'sluice_snapshot_polls_total{outcome="failed"} 1',
    ]) {
      expect(lines).toContain(line);
    }
  });
});
