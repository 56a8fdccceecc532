/** The word that such a name ends in, or the last two of it together. */
const SECRETS = new Set([
  ...['accesskey', 'apikey', 'auth', 'authentication', 'authorization', 'bearer', 'cookie', 'credential', 'csrf', 'jwt', 'passphrase', 'passwd', 'password', 'privatekey'],
  ...['secret', 'secretkey', 'session', 'sessionid', 'sid', 'signature', 'token', 'xsrf'],
]);
/** Where a word begins: after what is no letter, and at a capital within (`apiToken`, `APIToken`). */
const WORDS = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g;

/**
 * Whether an attribute is called what callers call a secret (`authorization`, `x-api-key`, `accessToken`, `session_id`): events hold none, so that a producer refuses to send one. A guard
 * against mistakes, by the end of the name: `token_type` is none.
 */
export function isSecretAttribute(name: string): boolean {
  const words = (name.match(WORDS) ?? []).map((word) => word.toLowerCase());
  return [words.slice(-1), words.slice(-2)].some((last) => {
    const text = last.join('');
    return SECRETS.has(text) || (text.endsWith('s') && SECRETS.has(text.slice(0, -1)));
  });
}
