import type { SnapshotPart } from './snapshot-part.js';

/** The lists of a snapshot, in the order of body and checksum. */
export const PART_NAMES = ['plans', 'rules', 'overrides'] as const;
export type PartName = (typeof PART_NAMES)[number];

/** All lists of one version. */
export type SnapshotParts = Readonly<Record<PartName, SnapshotPart>>;
