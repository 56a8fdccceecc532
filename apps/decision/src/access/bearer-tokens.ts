import { hash, timingSafeEqual } from 'node:crypto';

/** Whether the value of a field `Authorization` shows one of the tokens. */
export type ShowsToken = (authorization: string | undefined) => boolean;

const BEARER = /^Bearer +([\x21-\x7e]+) *$/i;

/**
 * Compares bearer tokens in constant time, by digests of one length, so that the comparison tells nothing of the tokens. Services send the
 * same value with every request: the last good one is remembered and compared as it is (0.25 µs, a digest takes 2 to 3). That tells
 * whether lengths are equal, which is no help to whoever has 2^100 tokens of that length to try.
 */
export function bearerTokens(tokens: readonly string[]): ShowsToken {
  const expected = tokens.map(digest);
  let good = Buffer.alloc(0);
  let given = Buffer.alloc(0);

  function isGood(authorization: string): boolean {
    if (authorization.length * 2 !== good.length || good.length === 0) return false;
    // As it is in memory: every other encoding makes different texts alike, or writes less than all.
    given.write(authorization, 'utf16le');
    return timingSafeEqual(given, good);
  }

  return (authorization) => {
    if (authorization === undefined) return false;
    if (isGood(authorization)) return true;
    const token = BEARER.exec(authorization)?.[1];
    if (token === undefined) return false;
    const shown = digest(token);
    let is = false;
    // All of them: when it ends must not say which.
    for (const each of expected) is = timingSafeEqual(shown, each) || is;
    if (is) {
      good = Buffer.from(authorization, 'utf16le');
      given = Buffer.alloc(good.length);
    }
    return is;
  };
}

function digest(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
