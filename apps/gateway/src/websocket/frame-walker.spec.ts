import { PassThrough } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { closeFrame } from './close-frame.js';
import { FrameWalker } from './frame-walker.js';
import { Lane } from './lane.js';

/** A frame as a client or a server sends it. */
function frame(opcode: number, payload: Buffer, masked: boolean): Buffer {
  const { length } = payload;
  const size = length < 126 ? [length] : length < 65_536 ? [126, length >> 8, length & 255] : [127, 0, 0, 0, 0, length >>> 24, (length >> 16) & 255, (length >> 8) & 255, length & 255];
  const head = Buffer.from([0x80 | opcode, ...size]);
  if (masked) head[1] = (head[1] ?? 0) | 0x80;
  return Buffer.concat([head, masked ? Buffer.from([1, 2, 3, 4]) : Buffer.alloc(0), payload]);
}

const anyFrame = fc.record({ opcode: fc.constantFrom(0, 1, 2, 9, 10), length: fc.oneof(fc.integer({ min: 0, max: 130 }), fc.constantFrom(125, 126, 65_535, 65_536, 70_000)), masked: fc.boolean() }).map(({ opcode, length, masked }) => ({ opcode, bytes: frame(opcode, Buffer.alloc(length, 0x88), masked) }));

function cutAt(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const ends = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  return [...ends, bytes.length].map((end, at) => bytes.subarray(ends[at - 1] ?? 0, end)).filter(({ length }) => length > 0);
}

describe('R76 frames of a WebSocket', () => {
  it('finds where each ends, however the bytes are cut', () => {
    fc.assert(
      fc.property(fc.array(anyFrame, { minLength: 1, maxLength: 8 }), fc.array(fc.nat(), { maxLength: 20 }), (frames, cuts) => {
        const walker = new FrameWalker();
        const ends: number[] = [];
        let before = 0;
        for (const chunk of cutAt(Buffer.concat(frames.map(({ bytes }) => bytes)), cuts)) {
          for (let at = 0; at < chunk.length; ) {
            at = walker.advance(chunk, at);
            if (walker.isBetween) ends.push(before + at);
          }
          before += chunk.length;
        }
        let sum = 0;
        expect(ends).toEqual(frames.map(({ bytes }) => (sum += bytes.length)));
      }),
      { seed: 76, numRuns: 200 },
    );
  });

  it('a lane passes all bytes on as they are, counts messages, and says its last words between two frames only', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyFrame, { minLength: 1, maxLength: 6 }), fc.array(fc.nat(), { maxLength: 12 }), fc.nat(), fc.constantFrom('never', 'now', 'later'), async (frames, cuts, stopAt, admission) => {
        const [from, to] = [new PassThrough({ highWaterMark: 1 << 24 }), new PassThrough({ highWaterMark: 1 << 24 })];
        let asked = 0;
        const admit = admission === 'never' ? undefined : () => ((asked += 1), admission === 'now' ? true : turn(true));
        const lane = new Lane({ from, to, masked: false, admit });
        const chunks = cutAt(Buffer.concat(frames.map(({ bytes }) => bytes)), cuts);
        const last = closeFrame(1001, 'bye', false);
        for (const [at, chunk] of chunks.entries()) {
          if (at === stopAt % (chunks.length + 1)) lane.close(1001, 'bye');
          from.write(chunk);
          for (let turns = 0; turns < 20; turns += 1) await turn();
        }
        if (stopAt % (chunks.length + 1) === chunks.length) lane.close(1001, 'bye');
        for (let turns = 0; turns < 20; turns += 1) await turn();
        const out = (to.read() as Buffer | null) ?? Buffer.alloc(0);
        const whole = out.subarray(0, out.length - last.length);
        expect(out.subarray(whole.length).equals(last)).toBe(true);
        let sum = 0;
        const ends = [0, ...frames.map(({ bytes }) => (sum += bytes.length))];
        expect(ends).toContain(whole.length);
        expect(Buffer.concat(frames.map(({ bytes }) => bytes)).subarray(0, whole.length).equals(whole)).toBe(true);
        const passed = frames.slice(0, ends.indexOf(whole.length));
        if (admit !== undefined) expect(asked).toBeGreaterThanOrEqual(passed.filter(({ opcode }) => opcode === 1 || opcode === 2).length);
        expect(lane.isOver).toBe(true);
      }),
      { seed: 76, numRuns: 60 },
    );
  });
});
