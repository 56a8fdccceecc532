import type { Steps } from '@sluice/rules';
import { partsChecksum } from './parts-checksum.js';
import { SnapshotPart } from './snapshot-part.js';
import { PART_NAMES, type PartName, type SnapshotParts } from './snapshot-parts.js';
import type { SnapshotChanges } from './snapshot-reader.js';
import { SnapshotState } from './snapshot-state.js';

const NOTHING: SnapshotParts = { plans: SnapshotPart.empty, rules: SnapshotPart.empty, overrides: SnapshotPart.empty };

/** The state after the changes, from the one that they were read since. Only what changed becomes text. */
export function* buildState(held: SnapshotState | undefined, { version, epoch, published, since, deletionsForgottenUpTo, changes }: SnapshotChanges): Steps<SnapshotState> {
  const before = since === undefined ? NOTHING : (held?.parts ?? NOTHING);
  const built: Partial<Record<PartName, SnapshotPart>> = {};
  for (const name of PART_NAMES) {
    const of = changes.filter(({ source }) => source.part === name);
    built[name] = yield* before[name].after({ items: of.flatMap((each) => each.items), deletions: of.flatMap((each) => each.deletions), forgottenUpTo: deletionsForgottenUpTo });
  }
  const parts: SnapshotParts = { ...before, ...built };
  return new SnapshotState({ version, epoch, published, deletionsForgottenUpTo, parts, checksum: yield* partsChecksum(version, parts) });
}
