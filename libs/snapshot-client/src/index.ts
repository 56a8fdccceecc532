export { createSnapshotClient } from './snapshot-client.js';
export type { SnapshotClient } from './snapshot-client.js';
export type { AppliedSnapshot, CopyFault, SnapshotClientOptions } from './snapshot-client-options.js';
export { replaceFile } from './replace-file.js';
export { CHECKSUM_HEADER, EPOCH_HEADER, PUBLISHED_AGE_HEADER, STALE_HEADER } from './answer-headers.js';
export type { SnapshotPolls, SnapshotStatus } from './snapshot-status.js';
export { snapshotReadiness } from './snapshot-readiness.js';
export { snapshotMetrics } from './snapshot-metrics.js';
export type { SnapshotMetric } from './snapshot-metrics.js';
