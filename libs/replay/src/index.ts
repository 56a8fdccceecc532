export { createReplay, Replay } from './replay.js';
export type { ReplayOptions } from './replay-options.js';
export { requestOf } from './replay-request.js';
export type { ReplayRequest } from './replay-request.js';
export type { ReplayVerdict } from './replay-verdict.js';
export type { Comparison, KeyReport, NamedReport, RecordedRuleReport, ReplayReport, ReportOptions, RuleReport, SumsReport } from './replay-report.js';
export { plansNamedBy, proposedSnapshot, proposedSnapshotSteps } from './proposed-snapshot.js';
export type { Proposed } from './proposed-snapshot.js';
export type { Interval } from './interval.js';
