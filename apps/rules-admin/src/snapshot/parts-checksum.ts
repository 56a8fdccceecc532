import type { Steps } from '@sluice/rules';
import { createHash } from 'node:crypto';
import { PART_NAMES, type SnapshotParts } from './snapshot-parts.js';

/** Items hashed in one go: some 100 KB. */
const BATCH = 256;

/** `snapshotChecksum` of @sluice/rules, from texts that are there already, in an order that is known already. */
export function* partsChecksum(version: number, parts: SnapshotParts): Steps<string> {
  const hash = createHash('sha256').update(`[${version}`);
  for (const name of PART_NAMES) {
    hash.update(',[');
    const { sortedTexts } = parts[name];
    for (let at = 0; at < sortedTexts.length; at += BATCH) {
      const list = JSON.stringify(sortedTexts.slice(at, at + BATCH));
      hash.update(`${at === 0 ? '' : ','}${list.slice(1, -1)}`);
      yield;
    }
    hash.update(']');
  }
  return hash.update(']').digest('base64url');
}
