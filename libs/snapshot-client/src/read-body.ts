import { applyDeltaSteps, compileSnapshotSteps, inSlices, MAX_FAULTS, snapshotChecksumSteps, validateDeltaSteps, validateSnapshotSteps } from '@sluice/rules';
import type { Fault, RuleIndex, SliceOptions, Snapshot } from '@sluice/rules';

/** Rules that can take over. */
export interface BuiltSnapshot {
  readonly kind: 'whole' | 'delta';
  readonly snapshot: Snapshot;
  readonly index: RuleIndex;
  /** `snapshotChecksum` of it, where that is known by now. */
  readonly checksum: string | undefined;
}

/** What a body of `GET /v1/snapshot` came to. Nothing of it is in force yet (R56). */
export type ReadBody =
  | BuiltSnapshot
  /** A whole snapshot that is not valid, or not what the control plane has. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** Changes that do not lead from what is here to what the control plane has: the whole is needed. */
  | { readonly kind: 'unfit'; readonly unverified: boolean };

const FAULTS_SHOWN = 3;
/** A name that is not known may be as long as the body allows; this goes to logs and `/readyz`. */
const MAX_REASON_CHARS = 1_000;

/**
 * Checks and builds a snapshot in slices, whole or from the changes to `base`. What is sent, or what it adds up to, must have the control plane's
 * checksum; only a whole may come without one. Whatever is sent, the rules in force stay.
 *
 * @throws the reason of `slices.signal` once that is aborted, nothing else
 */
export async function readBody(body: unknown, base: Snapshot | undefined, checksum: string | undefined, slices: SliceOptions): Promise<ReadBody> {
  try {
    if (isDelta(body)) return await readDelta(body, base, checksum, slices);
    const checked = await inSlices(validateSnapshotSteps(body), slices);
    if (!checked.ok) return { kind: 'refused', reason: describeFaults(checked.faults) };
    if (checksum !== undefined && (await inSlices(snapshotChecksumSteps(checked.value), slices)) !== checksum) return { kind: 'refused', reason: 'the snapshot does not have its checksum' };
    return { kind: 'whole', snapshot: checked.value, index: await inSlices(compileSnapshotSteps(checked.value), slices), checksum };
  } catch (error) {
    slices.signal?.throwIfAborted();
    return { kind: 'refused', reason: `the snapshot cannot be built: ${error instanceof Error ? error.message : String(error)}` };
  }
}

async function readDelta(body: object, base: Snapshot | undefined, checksum: string | undefined, slices: SliceOptions): Promise<ReadBody> {
  if (base === undefined || checksum === undefined) return { kind: 'unfit', unverified: checksum === undefined };
  const delta = await inSlices(validateDeltaSteps(body), slices);
  const applied = delta.ok ? await inSlices(applyDeltaSteps(base, delta.value), slices) : delta;
  if (!applied.ok || (await inSlices(snapshotChecksumSteps(applied.value), slices)) !== checksum) return { kind: 'unfit', unverified: false };
  return { kind: 'delta', snapshot: applied.value, index: await inSlices(compileSnapshotSteps(applied.value), slices), checksum };
}

function isDelta(body: unknown): body is object {
  return typeof body === 'object' && body !== null && Object.hasOwn(body, 'since');
}

function describeFaults(faults: readonly Fault[]): string {
  const shown = faults.slice(0, FAULTS_SHOWN).map(({ pointer, detail }) => `${pointer === '' ? 'it' : pointer} ${detail}`);
  const more = faults.length - shown.length;
  const rest = faults.length < MAX_FAULTS ? `; and ${more} more` : `; and ${more} more at least`;
  return `the snapshot is not valid: ${shown.join('; ').slice(0, MAX_REASON_CHARS)}${more > 0 ? rest : ''}`;
}
