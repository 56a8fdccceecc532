import { hashText } from './hash-text.js';

/** 66 bits: see README "Keys" for why that is enough here, and not for values. */
const CODE_CHARS = 11;
/** Far more than there are rules; only stops a caller who makes up identities from filling the heap. */
const MOST_KNOWN = 20_000;
/** As `countingIdentity` of `@sluice/rules` writes it: after the rule, two letters and digits or a calendar, up to the next `~`. */
const FAMILY = /^[^~]*~([a-z]{2}[0-9@][A-Za-z0-9@/_+-]{0,60})(?:~|$)/;

/** What the names of counters hold of a counting identity. */
export interface IdentityCodes {
  /** The short name of the identity, of one length. */
  readonly code: string;
  /**
   * Equal for identities of one algorithm, window and number of sub-buckets, and only for those: their counters may share a group, since
   * each can tell when another is dead, and none needs to be kept for longer. An identity that does not say shares with no other.
   */
  readonly family: string;
}

const known = new Map<string, IdentityCodes>();

export function identityCodes(identity: string): IdentityCodes {
  let codes = known.get(identity);
  if (codes === undefined) {
    if (known.size >= MOST_KNOWN) known.clear();
    const code = hashText(identity, CODE_CHARS);
    known.set(identity, (codes = { code, family: FAMILY.exec(identity)?.[1] ?? `~${code}` }));
  }
  return codes;
}

/** The short name, of one length, under which the counters of a counting identity are kept. */
export function identityCode(identity: string): string {
  return identityCodes(identity).code;
}
