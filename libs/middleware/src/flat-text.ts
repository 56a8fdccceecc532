const ANY = /^/;

/**
 * The same text, in memory of its own. V8 keeps what is cut out of a text, or put together of some, as references: 20 characters cut out of a target hold all 16 KB of
 * it for as long as they are kept. A regular expression wants one piece and has it made, which takes some 30 ns; what is one piece already is left alone.
 *
 * @param joined put together of others, at least one of them; a text that was only cut out stays a reference
 */
export function flatText(joined: string): string {
  ANY.test(joined);
  return joined;
}

/** A copy of a text that was cut out of another; some 300 ns. */
export function copiedText(cut: string): string {
  return Buffer.from(cut, 'latin1').toString('latin1');
}
