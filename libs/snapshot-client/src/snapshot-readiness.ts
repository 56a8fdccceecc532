import type { SnapshotStatus } from './snapshot-status.js';

/**
 * What a readiness probe says of the rules. A node is ready once it has rules, however old: a control plane that is away is no
 * reason to stop serving (R43). What is wrong is said beside.
 */
export function snapshotReadiness(status: SnapshotStatus): { readonly ok: boolean; readonly detail: string } {
  const { version, ageMs, refusal, lastError, unauthorized, refused, restored, stale, copyFault } = status;
  const known = restored ? `from the copy on disk, written ${ageMs ?? 0} ms ago` : `confirmed ${ageMs ?? 0} ms ago`;
  const parts = [version === undefined ? 'no snapshot yet' : `version ${version}, ${known}`];
  if (stale) parts.push('the control plane answers without its database');
  if (refusal !== undefined) parts.push(`refused the last snapshot (${refused} in all): ${refusal}`);
  if (lastError !== undefined) parts.push(`${unauthorized ? 'token refused' : 'last poll failed'}: ${lastError}`);
  if (copyFault !== undefined) parts.push(copyFault);
  return { ok: version !== undefined, detail: parts.join('; ') };
}
