import { applyDelta, compileSnapshot, snapshotChecksum, validateDelta, validateSnapshot } from '@sluice/rules';
import type { Fault, RuleIndex, Snapshot } from '@sluice/rules';

/** What a body of `GET /v1/snapshot` came to. Nothing of it is in force yet (R56). */
export type ReadBody =
  | { readonly kind: 'whole' | 'delta'; readonly snapshot: Snapshot; readonly index: RuleIndex }
  /** A whole snapshot that is not valid. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** Changes that do not lead from what is here to what the control plane has: the whole is needed. */
  | { readonly kind: 'unfit'; readonly unverified: boolean };

const FAULTS_SHOWN = 3;

/**
 * Checks and builds a snapshot, whole or from the changes to `base`. Changes are taken only if what they add up to has the
 * control plane's checksum. Never throws: whatever is sent, the rules in force stay.
 */
export function readBody(body: unknown, base: Snapshot | undefined, checksum: string | undefined): ReadBody {
  try {
    if (isDelta(body)) return readDelta(body, base, checksum);
    const checked = validateSnapshot(body);
    if (!checked.ok) return { kind: 'refused', reason: describeFaults(checked.faults) };
    return { kind: 'whole', snapshot: checked.value, index: compileSnapshot(checked.value) };
  } catch (error) {
    return { kind: 'refused', reason: `the snapshot cannot be built: ${error instanceof Error ? error.message : String(error)}` };
  }
}

function readDelta(body: object, base: Snapshot | undefined, checksum: string | undefined): ReadBody {
  if (base === undefined || checksum === undefined) return { kind: 'unfit', unverified: checksum === undefined };
  const delta = validateDelta(body);
  const applied = delta.ok ? applyDelta(base, delta.value) : delta;
  if (!applied.ok || snapshotChecksum(applied.value) !== checksum) return { kind: 'unfit', unverified: false };
  return { kind: 'delta', snapshot: applied.value, index: compileSnapshot(applied.value) };
}

function isDelta(body: unknown): body is object {
  return typeof body === 'object' && body !== null && Object.hasOwn(body, 'since');
}

function describeFaults(faults: readonly Fault[]): string {
  const shown = faults.slice(0, FAULTS_SHOWN).map(({ pointer, detail }) => `${pointer === '' ? 'it' : pointer} ${detail}`);
  const more = faults.length - shown.length;
  return `the snapshot is not valid: ${shown.join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
}
