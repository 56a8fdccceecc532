import type { Steps } from '@sluice/rules';
import { PART_NAMES, type SnapshotParts } from './snapshot-parts.js';

/** Items written in one go: some 200 KB. */
const BATCH = 1_024;

/** A whole snapshot as JSON, from the texts of its items. */
export function* wholeBody(version: number, parts: SnapshotParts): Steps<Buffer> {
  const pieces = [Buffer.from(`{"version":${version}`)];
  for (const name of PART_NAMES) {
    pieces.push(Buffer.from(`,"${name}":[`));
    const { items } = parts[name];
    for (let at = 0; at < items.length; at += BATCH) {
      const texts = items.slice(at, at + BATCH).map(({ text }) => text);
      pieces.push(Buffer.from(`${at === 0 ? '' : ','}${texts.join(',')}`));
      yield;
    }
    pieces.push(Buffer.from(']'));
  }
  return Buffer.concat([...pieces, Buffer.from('}')]);
}
