import { createHash } from 'node:crypto';
import type { Snapshot } from './rule.js';
import { compareText } from './specificity.js';

/**
 * A hash over all that a snapshot says, its version included: equal for equal content, whatever the order of parts and fields, so
 * that a node can check what its deltas added up to (R54). 43 characters, base64url of SHA-256.
 */
export function snapshotChecksum({ version, plans, rules, overrides }: Snapshot): string {
  const parts = [plans, rules, overrides].map((items) => items.map(canonical).sort(compareText));
  return createHash('sha256').update(JSON.stringify([version, ...parts])).digest('base64url');
}

/** JSON with sorted fields. Lists keep their order, which is part of what they say. */
function canonical(item: object): string {
  return JSON.stringify(item, (_name, value: unknown) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).sort(([a], [b]) => compareText(a, b)));
  });
}
