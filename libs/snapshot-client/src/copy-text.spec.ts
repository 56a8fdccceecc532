import { largeSnapshot } from '../test/large-snapshot.js';
import { copyText } from './copy-text.js';

const HEAD = { format: 1, saved_at: '2027-01-01T00:00:00Z' };

describe('R43 the text of the copy on disk', () => {
  it.each([
    ['5,000 rules', largeSnapshot(7)],
    ['nothing', { version: 0, plans: [], rules: [], overrides: [] }],
    ['one of each', { ...largeSnapshot(1), rules: largeSnapshot(1).rules.slice(0, 1), plans: [{ plan_id: 'p' }], overrides: [] }],
  ])('is what JSON.stringify makes of it, in small pieces: %s', async (_what, snapshot) => {
    const pieces: string[] = [];
    for await (const piece of copyText(HEAD, snapshot)) pieces.push(piece);
    expect(pieces.join('')).toBe(JSON.stringify({ ...HEAD, snapshot }));
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(64 * 1024);
  });
});
