import fc from 'fast-check';
import { questionDigest, readCursor, writeCursor } from './decision-cursor.js';

const DIGEST = questionDigest({ key_id: 'k1', allowed: 'false' });
const CURSOR = { range: { fromMs: 1_000, toMs: 5_000 }, after: { atMs: 2_000, eventId: 'p:7' } };

describe('R82 cursors of decisions', () => {
  it('hold a place and the range', () => {
    expect(readCursor(DIGEST, writeCursor(DIGEST, CURSOR))).toEqual(CURSOR);
  });

  it('belong to their question, however it is put', () => {
    expect(questionDigest({ allowed: 'false', key_id: 'k1', ip: undefined })).toBe(DIGEST);
    expect(readCursor(questionDigest({ key_id: 'k1' }), writeCursor(DIGEST, CURSOR))).toBeUndefined();
    expect(questionDigest({ key_id: 'a', ip: 'b' })).not.toBe(questionDigest({ key_id: 'b', ip: 'a' }));
  });

  it('are none where the place is not in the range, or anything else is odd', () => {
    for (const atMs of [999, 5_000, -1, 2.5]) expect(readCursor(DIGEST, writeCursor(DIGEST, { ...CURSOR, after: { atMs, eventId: 'p:7' } }))).toBeUndefined();
    for (const text of ['', 'e30', '****', Buffer.from('[1]').toString('base64url'), Buffer.from(`[1,"${DIGEST}",1000,5000,2000,7]`).toString('base64url')]) expect(readCursor(DIGEST, text)).toBeUndefined();
    // What Date cannot take was a 500.
    for (const toMs of [9e15, 8.64e15 + 1, 253_402_300_800_000]) expect(readCursor(DIGEST, writeCursor(DIGEST, { ...CURSOR, range: { fromMs: 1_000, toMs } }))).toBeUndefined();
    fc.assert(fc.property(fc.string(), (text) => readCursor(DIGEST, text) === undefined), { seed: 53 });
  });
});
