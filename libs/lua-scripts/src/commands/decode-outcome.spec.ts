import { ScriptReplyError } from '../script-command.js';
import { decodeOutcome, decodeOutcomes } from './decode-outcome.js';

describe('decodeOutcome', () => {
  it('names the eight integers in order', () => {
    expect(decodeOutcome([1, 2, 3, 4, 5, 6, 7, 8])).toEqual({
      granted: 1, remaining: 2, retryMs: 3, resetMs: 4, bucket: 5, bucketEndsInMs: 6, nowMs: 7, delayMs: 8,
    });
    expect(decodeOutcomes([[1, 2, 3, 4, 5, 6, 7, 8]])).toHaveLength(1);
  });

  it.each([[null], ['OK'], [[]], [[1_764_000_000_000]], [[1, 2, 3, 4, 5, 6, 7]], [[1, 2, 3, 4, 5, 6, 7, '8']], [[1, 2, 3, 4, 5, 6, 7, 0.5]]])(
    'R45 takes %j for a fault, not for a denial',
    (reply) => {
      expect(() => decodeOutcome(reply)).toThrow(ScriptReplyError);
      expect(() => decodeOutcomes([reply])).toThrow(ScriptReplyError);
    },
  );
});
