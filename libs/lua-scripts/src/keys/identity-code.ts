import { hashText } from './hash-text.js';

/** 66 bits: see README "Keys" for why that is enough here, and not for values. */
const CODE_CHARS = 11;
/** Far more than there are rules; only stops a caller who makes up identities from filling the heap. */
const MOST_KNOWN = 20_000;

const known = new Map<string, string>();

/** The short name, of one length, under which the counters of a counting identity are kept. */
export function identityCode(identity: string): string {
  let code = known.get(identity);
  if (code === undefined) {
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(identity, (code = hashText(identity, CODE_CHARS)));
  }
  return code;
}
