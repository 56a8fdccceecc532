import { createHash, type Hash } from 'node:crypto';
import { isJsonObject } from './object-reader.js';
import type { Snapshot } from './rule.js';
import { sortInSteps } from './sort-in-steps.js';
import { compareText } from './specificity.js';
import { atOnce, eachInSteps, mapInSteps, type Steps } from './steps.js';

/**
 * A hash over all that a snapshot says, its version included: equal for equal content, whatever the order of parts and fields, so
 * that a node can check what its deltas added up to (R54). 43 characters, base64url of SHA-256.
 */
export function snapshotChecksum(snapshot: Snapshot): string {
  return atOnce(snapshotChecksumSteps(snapshot));
}

/** As {@link snapshotChecksum}, in small steps. */
export function* snapshotChecksumSteps({ version, plans, rules, overrides }: Snapshot): Steps<string> {
  // Nodes of all versions have to agree: what is hashed is the JSON of [version, [text of each plan, sorted], [… rules], [… overrides]].
  const hash = createHash('sha256').update(`[${JSON.stringify(version)}`);
  for (const items of [plans, rules, overrides]) {
    hash.update(',[');
    yield* addTexts(hash, yield* sortInSteps(yield* mapInSteps(items, canonicalText), compareText));
    hash.update(']');
  }
  return hash.update(']').digest('base64url');
}

function addTexts(hash: Hash, texts: readonly string[]): Steps<void> {
  return eachInSteps(texts, (text, index) => hash.update(`${index === 0 ? '' : ','}${JSON.stringify(text)}`));
}

/** JSON of one part with sorted fields, as it is hashed. Lists keep their order, which is part of what they say. */
export function canonicalText(item: object): string {
  return JSON.stringify(isFlatAndSorted(item) ? item : sorted(item));
}

/** Whether the JSON of an object is its text as it is: who makes many, as the control plane does, can see to that. */
function isFlatAndSorted(item: object): boolean {
  let last = '';
  if (!isJsonObject(item)) return false;
  for (const name in item) {
    if (name < last || typeof item[name] === 'object') return false;
    last = name;
  }
  return true;
}

/** A validated snapshot has no field `__proto__`, so that assignment makes fields alone; it is three times as fast as by entries. */
function sorted(value: unknown): unknown {
  if (!isJsonObject(value)) return Array.isArray(value) ? value.map(sorted) : value;
  const copy: Record<string, unknown> = {};
  for (const name of Object.keys(value).sort()) {
    const field = value[name];
    copy[name] = typeof field === 'object' ? sorted(field) : field;
  }
  return copy;
}
