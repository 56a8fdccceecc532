import { isAttributeName, isSecretAttribute, MAX_ATTRIBUTES, STANDARD_ATTRIBUTES } from '@sluice/events';
import type { Parsed } from '@sluice/platform';

/** As many as an event has room for beside the standard ones. */
const MOST = MAX_ATTRIBUTES - STANDARD_ATTRIBUTES.length;

/** Reads names of attributes, `region,device`; blanks around one do not count, and standard ones, which are sent anyway, may be among them. */
export function parseStreamAttributes(text: string): Parsed<readonly string[]> {
  const names = text.split(',').map((part) => part.trim());
  for (const [index, name] of names.entries()) {
    const why = faultOf(name);
    if (why !== undefined) return { ok: false, why: `item ${index + 1}: ${why}` };
  }
  const further = [...new Set(names)].filter((name) => !STANDARD_ATTRIBUTES.some((standard) => standard === name));
  if (further.length > MOST) return { ok: false, why: `there are ${further.length} names, and events have room for ${MOST}` };
  return { ok: true, value: further };
}

function faultOf(name: string): string | undefined {
  if (name === '') return 'it is empty';
  if (!isAttributeName(name)) return `${JSON.stringify(name)} is no name of an attribute: 1 to 64 letters, digits, _ . : / or -`;
  return isSecretAttribute(name) ? `${JSON.stringify(name)} is the name of something secret, and events hold no secrets` : undefined;
}
