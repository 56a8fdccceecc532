/// <reference lib="es2024.string" />
import { createHash } from 'node:crypto';
import { attributeText } from './attribute-text.js';

describe('known failure 31, 33: values of attributes are bounded and stay apart', () => {
  it.each(['', 'a', 'x'.repeat(256), 'ä€😀', '\u0000"\\'])('%# is as it was', (value) => {
    expect(attributeText(value)).toBe(value);
  });

  it('a longer one is its beginning and a hash of the whole', () => {
    const value = 'ab'.repeat(200);
    const digits = createHash('sha256').update(value).digest('hex').slice(0, 16);
    expect(attributeText(value)).toBe(`${value.slice(0, 238)}…#${digits}`);
    expect(attributeText(value)).toHaveLength(256);
    expect(attributeText(`${value}c`)).not.toBe(attributeText(`${value}d`));
  });

  it('no half of a surrogate pair is left, in a short one or at a cut', () => {
    expect(attributeText('a\ud800b')).toBe('a\ufffdb');
    const cut = attributeText(`a${'😀'.repeat(200)}`);
    expect(cut).toHaveLength(256);
    expect(cut.isWellFormed()).toBe(true);
  });
});
