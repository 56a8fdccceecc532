import type { Descriptor } from '../messages.js';

/** What a descriptor costs: its own addend, where 0 is a peek; else that of the request, where 0 is the field's absence and means 1. */
export function hitsOf({ hitsAddend }: Descriptor, requestHitsAddend: number): number {
  return hitsAddend ?? Math.max(1, requestHitsAddend);
}
