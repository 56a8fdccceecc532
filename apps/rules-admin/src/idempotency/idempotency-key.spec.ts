import { readIdempotencyKey } from './idempotency-key.js';

describe('R52 Idempotency-Key (draft-ietf-httpapi-idempotency-key-header-07)', () => {
  it.each([
    ['"8e03978e-40d5-43dd-bc93-6894a57f9324"', '8e03978e-40d5-43dd-bc93-6894a57f9324'],
    ['8e03978e-40d5-43dd-bc93-6894a57f9324', '8e03978e-40d5-43dd-bc93-6894a57f9324'],
    [' "a b, c; d" ', 'a b, c; d'],
    ['"a\\"b\\\\c"', 'a"b\\c'],
    ['"x"', 'x'],
    ['a:b/c+d=', 'a:b/c+d='],
    [`"${'x'.repeat(255)}"`, 'x'.repeat(255)],
    ['x'.repeat(255), 'x'.repeat(255)],
  ])('%s', (field, key) => {
    expect(readIdempotencyKey(field)).toBe(key);
  });

  it.each(['', ' ', '""', '"', '"a', 'a"', '"a"b"', '"a\\b"', 'a b', 'a,b', 'a, b', '"a", "b"', '"a";p=1', 'a;p', 'ä', '"ä"', '"a\tb"', 'x'.repeat(256), `"${'x'.repeat(256)}"`])('%j is none', (field) => {
    expect(readIdempotencyKey(field)).toBeUndefined();
  });
});
