import fc from 'fast-check';
import { messageChunks } from './message-chunks.js';

describe('R80 requests of a batch', () => {
  it('hold all messages in order, at most 1,000 and 900,000 characters, unless one alone is larger', () => {
    const sizes = fc.array(fc.oneof({ weight: 20, arbitrary: fc.integer({ min: 0, max: 5_000 }) }, { weight: 1, arbitrary: fc.integer({ min: 0, max: 1_000_000 }) }), { maxLength: 3_000, size: 'max' });
    fc.assert(
      fc.property(sizes, (lengths) => {
        const messages = lengths.map((length) => ({ key: '', value: Buffer.alloc(length) }));
        const chunks = [...messageChunks(messages)];
        expect(chunks.flat()).toEqual(messages);
        for (const chunk of chunks) {
          expect(chunk.length).toBeLessThanOrEqual(1_000);
          expect(chunk.length).toBeGreaterThan(0);
          if (chunk.length > 1) expect(chunk.reduce((sum, { value }) => sum + value.length, 0)).toBeLessThanOrEqual(900_000);
        }
      }),
      { seed: 80, numRuns: 30 },
    );
  });

  it.each([
    ['large ones', Array.from({ length: 10 }, () => 400_000), [2, 2, 2, 2, 2]],
    ['ones that just fit', [450_000, 450_000, 1], [2, 1]],
    ['one that does not', [1, 1_000_000, 1], [1, 1, 1]],
    ['small ones', Array.from({ length: 2_001 }, () => 10), [1_000, 1_000, 1]],
  ])('of %s are cut by messages and by size, whether it is in bytes, texts or keys', (_, lengths, counts) => {
    for (const valueOf of [(length: number) => Buffer.alloc(length), (length: number) => 'x'.repeat(length)]) {
      expect([...messageChunks(lengths.map((length) => ({ key: '', value: valueOf(length) })))].map((chunk) => chunk.length)).toEqual(counts);
    }
    const keyed = lengths.map((length) => ({ key: 'k'.repeat(length), value: '' }));
    expect([...messageChunks(keyed)].map((chunk) => chunk.length)).toEqual(counts);
  });

  it('of nothing there are none', () => {
    expect([...messageChunks([])]).toEqual([]);
  });
});
