import { snapshotMetrics } from './snapshot-metrics.js';
import { snapshotReadiness } from './snapshot-readiness.js';
import type { SnapshotStatus } from './snapshot-status.js';

const POLLS = { requests: 3, whole: 1, delta: 0, unfit: 0, unchanged: 1, failed: 1 };
const STARTING: SnapshotStatus = { version: undefined, ageMs: undefined, lastError: undefined, refusal: undefined, refused: 0, unauthorized: false, restored: false, stale: false, copyFault: undefined, polls: POLLS };
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

  it('R43 says that the control plane answers without its database', () => {
    expect(snapshotReadiness({ ...STARTING, version: 7, ageMs: 90_000, stale: true })).toEqual({ ok: true, detail: 'version 7, confirmed 90000 ms ago; the control plane answers without its database' });
    const metric = snapshotMetrics({ status: () => ({ ...STARTING, stale: true }) }).find(({ name }) => name === 'sluice_snapshot_stale');
    expect(metric?.collect()).toEqual([{ labels: {}, value: 1 }]);
  });

  it('R43 is ready on the copy, and says that it is one', () => {
    const { ok, detail } = snapshotReadiness({ ...STARTING, version: 7, ageMs: 90_000, restored: true, lastError: 'no route' });
    expect([ok, detail]).toEqual([true, 'version 7, from the copy on disk, written 90000 ms ago; last poll failed: no route']);
  });

  it('R43 says what is wrong with the copy on disk, ready or not', () => {
    const copyFault = 'the copy of the rules in /x was not written: EACCES';
    expect(snapshotReadiness({ ...STARTING, copyFault })).toEqual({ ok: false, detail: `no snapshot yet; ${copyFault}` });
    expect(snapshotReadiness({ ...STARTING, version: 7, ageMs: 0, copyFault })).toEqual({ ok: true, detail: `version 7, confirmed 0 ms ago; ${copyFault}` });
  });

  it('shows version, age, refusals and polls, and no version before there is one', () => {
    let status = STARTING;
    const metrics = snapshotMetrics({ status: () => status });
    const valuesOf = (name: string) => metrics.find((metric) => metric.name === name)?.collect();
    expect(valuesOf('sluice_snapshot_version')).toEqual([]);
    expect(valuesOf('sluice_snapshot_age_seconds')).toEqual([]);
    status = REFUSING;
    expect(valuesOf('sluice_snapshot_version')).toEqual([{ labels: {}, value: 7 }]);
    expect(valuesOf('sluice_snapshot_age_seconds')).toEqual([{ labels: {}, value: 1.5 }]);
    expect(valuesOf('sluice_snapshot_refusing')).toEqual([{ labels: {}, value: 1 }]);
    expect(valuesOf('sluice_snapshot_refused_total')).toEqual([{ labels: {}, value: 2 }]);
    expect(valuesOf('sluice_snapshot_unauthorized')).toEqual([{ labels: {}, value: 0 }]);
    expect(valuesOf('sluice_snapshot_polls_total')).toContainEqual({ labels: { outcome: 'failed' }, value: 1 });
  });
});
