import fc from 'fast-check';
import { canonicalPath } from './canonical-path.js';

describe('R1 one spelling of a path (RFC 3986, section 6.2.2)', () => {
  it.each([
    ['/v1/items/7', '/v1/items/7'],
    ['/v1/pay%3Acheck', '/v1/pay:check'],
    ['/v1/pay%3acheck', '/v1/pay:check'],
    ['/%61b%63', '/abc'],
    ['/caf%c3%a9', '/caf%C3%A9'],
    ['/café', '/caf%C3%A9'],
    ['/files/a%2fb', '/files/a%2Fb'],
    ['/a%2Bb', '/a+b'],
    ['/x%3Ba%3Db', '/x;a=b'],
    ['/%21%24%26%27%28%29%2A%2C%40', "/!$&'()*,@"],
    ['/%5f%7e%2D%2e', '/_~-.'],
    ['/a b|c[d]', '/a%20b%7Cc%5Bd%5D'],
    ['/%252e', '/%252e'],
    ['/%zz%', '/%25zz%25'],
    ['/\u{1F600}', '/%F0%9F%98%80'],
    ['/\uD800', '/%EF%BF%BD'],
    ['/%00', '/%00'],
    ['/\u017f\u212a', '/%C5%BF%E2%84%AA'],
  ])('%s is %s', (path, canonical) => {
    expect(canonicalPath(path)).toBe(canonical);
  });

  it('is the same for every way to escape a path, and stays as it is', () => {
    const bytes = fc.array(fc.integer({ min: 0, max: 255 }), { maxLength: 12 });
    const spelled = bytes.chain((values) =>
      fc.tuple(fc.constant(values), fc.array(fc.integer({ min: 0, max: 2 }), { minLength: values.length, maxLength: values.length })),
    );
    fc.assert(
      fc.property(spelled, ([values, ways]) => {
        const escaped = values.map((value) => `%${value.toString(16).padStart(2, '0').toUpperCase()}`);
        const mixed = values.map((value, at) => {
          const character = String.fromCharCode(value);
          if (ways[at] === 0 && /^[\w.~!$&'()*+,;=:@-]$/.test(character)) return character;
          return ways[at] === 1 ? escaped[at]?.toLowerCase() : escaped[at];
        });
        const canonical = canonicalPath(escaped.join(''));
        expect(canonicalPath(mixed.join(''))).toBe(canonical);
        expect(canonicalPath(canonical)).toBe(canonical);
      }),
      { seed: 57, numRuns: 500 },
    );
  });
});
