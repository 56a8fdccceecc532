import fc from 'fast-check';
import { CounterHash } from './counter-hash.js';

/** HalfSipHash-c-d with 64 bits of output over bytes, written from the reference implementation's description; slow and plain. */
function halfSipHash(bytes: readonly number[], k0: number, k1: number, compression: number, finalization: number): readonly [low: number, high: number] {
  const v = [k0, k1 ^ 0xee, k0 ^ 0x6c796765, k1 ^ 0x74656462];
  const at = (i: number): number => v[i] ?? 0;
  const add = (a: number, b: number): void => void (v[a] = (at(a) + at(b)) | 0);
  const rotateXor = (a: number, bits: number, b: number): void => void (v[a] = ((at(a) << bits) | (at(a) >>> (32 - bits))) ^ at(b));
  const rotate = (a: number): void => void (v[a] = (at(a) << 16) | (at(a) >>> 16));
  const rounds = (count: number): void => {
    for (let round = 0; round < count; round += 1) {
      add(0, 1); rotateXor(1, 5, 0); rotate(0);
      add(2, 3); rotateXor(3, 8, 2);
      add(0, 3); rotateXor(3, 7, 0);
      add(2, 1); rotateXor(1, 13, 2); rotate(2);
    }
  };
  const absorb = (word: number): void => {
    v[3] = at(3) ^ word;
    rounds(compression);
    v[0] = at(0) ^ word;
  };
  const wordAt = (from: number): number => [0, 1, 2, 3].reduce((word, i) => word | ((bytes[from + i] ?? 0) << (8 * i)), 0);
  const whole = bytes.length - (bytes.length % 4);
  for (let from = 0; from < whole; from += 4) absorb(wordAt(from));
  absorb(wordAt(whole) | (bytes.length << 24));
  v[2] = at(2) ^ 0xee;
  rounds(finalization);
  const low = at(1) ^ at(3);
  v[1] = at(1) ^ 0xdd;
  rounds(finalization);
  return [low, at(1) ^ at(3)];
}

/** Length, then UTF-16 units in little endian, filled up to a whole number of words. */
function encoded(texts: readonly string[]): number[] {
  return texts.flatMap((text) => {
    const bytes = Buffer.alloc(4 + 4 * Math.ceil(text.length / 2));
    bytes.writeUInt32LE(text.length);
    bytes.write(text, 4, 'utf16le');
    for (let i = 0; i < text.length; i += 1) bytes.writeUInt16LE(text.charCodeAt(i), 4 + 2 * i);
    return [...bytes];
  });
}

function hashOf(hash: CounterHash, identity: string, values: readonly string[]): readonly [number, number] {
  hash.of(hash.seedOf(identity), values);
  return [hash.low, hash.high];
}

const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 30 }), fc.string({ unit: fc.constantFrom('a', 'b', ':', '|', '\0', '\ud83d', '\ude00') }));

describe('R11 the hash of a counter', () => {
  it('rests on a reference that gives the published vectors of HalfSipHash-2-4', () => {
    const published = ['218d1f59b9b83cc8', 'be552412f8387315', '064f39ef7c50eb57', 'ce0f1a45f7060679', 'd5e78a175be52ea1'];
    const found = published.map((_vector, length) => {
      const out = Buffer.alloc(8);
      const [low, high] = halfSipHash(Array.from({ length }, (_, at) => at), 0x03020100, 0x07060504, 2, 4);
      out.writeInt32LE(low, 0);
      out.writeInt32LE(high, 4);
      return out.toString('hex');
    });
    expect(found).toEqual(published);
  });

  it('is HalfSipHash-1-3 of each text’s length and units', () => {
    fc.assert(
      fc.property(text, fc.array(text, { maxLength: 4 }), fc.integer(), fc.integer(), (identity, values, k0, k1) => {
        const hash = new CounterHash(k0, k1);
        expect(hashOf(hash, identity, values)).toEqual(halfSipHash(encoded([identity, ...values]), k0, k1, 1, 3));
      }),
      { seed: 11, numRuns: 2_000 },
    );
  });

  it('is of one value what it is of a list of that value', () => {
    const hash = new CounterHash(1, 2);
    hash.ofOne(hash.seedOf('r'), 'k1');
    expect([hash.low, hash.high]).toEqual(hashOf(new CounterHash(1, 2), 'r', ['k1']));
  });

  it('tells apart what only differs in where one value ends (known failure 32)', () => {
    const hash = new CounterHash();
    const different = [['a', 'bc'], ['ab', 'c'], ['abc'], ['abc', ''], ['', 'abc'], [], [''], ['', ''], ['\0'], ['\0\0'], ['é'], ['e\u0301'], ['\ud83d'], ['\ude00']];
    const hashes = [...different.map((values) => hashOf(hash, 'r', values)), hashOf(hash, 'ra', ['bc'])].map(String);
    expect(new Set(hashes).size).toBe(hashes.length);
  });

  it('encodes different lists of values differently, whatever they hold', () => {
    fc.assert(
      fc.property(fc.array(text, { maxLength: 3 }), fc.array(text, { maxLength: 3 }), (a, b) => {
        fc.pre(JSON.stringify(a) !== JSON.stringify(b));
        expect(encoded(a)).not.toEqual(encoded(b));
      }),
      { seed: 12, numRuns: 2_000 },
    );
  });

  it('cannot be foreseen: another limiter hashes the same keys otherwise, and 200,000 keys do not collide', () => {
    const [one, other] = [new CounterHash(), new CounterHash()];
    const [seed, otherSeed] = [one.seedOf('r'), other.seedOf('r')];
    const seen = new Set<number>();
    const tags = new Uint32Array(256);
    let alike = 0;
    for (let at = 0; at < 200_000; at += 1) {
      one.ofOne(seed, `key_${at}`);
      other.ofOne(otherSeed, `key_${at}`);
      if (one.low === other.low) alike += 1;
      seen.add((one.high >>> 0) * 2 ** 20 + (one.low >>> 12));
      const tag = one.high & 0xff;
      tags[tag] = (tags[tag] ?? 0) + 1;
    }
    expect(alike).toBeLessThan(5);
    expect(seen.size).toBe(200_000);
    // 781 are expected of each; 6 standard deviations are 167.
    expect(Math.min(...tags)).toBeGreaterThan(781 - 167);
    expect(Math.max(...tags)).toBeLessThan(781 + 167);
  });
});
