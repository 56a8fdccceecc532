import { RecordingSink } from '../test/recording-sink.js';
import { streamTo } from '../test/support.js';
import type { DecisionStreamOptions } from './decision-stream-options.js';

describe('R80 options of a stream', () => {
  it.each<readonly [Partial<DecisionStreamOptions>, string]>([
    [{ capacity: 1 }, 'capacity must be a power of two from 2 to 1048576, got 1'],
    [{ capacity: 1_000 }, 'capacity must be a power of two'],
    [{ capacity: 2 ** 21 }, 'capacity must be a power of two'],
    [{ capacity: NaN }, 'capacity must be a power of two'],
    [{ allowShare: -0.1 }, 'allowShare must be 0, or 0.000001 to 1, got -0.1'],
    [{ allowShare: 1e-7 }, 'allowShare must be 0, or 0.000001 to 1'],
    [{ allowShare: NaN }, 'allowShare must be 0, or 0.000001 to 1'],
    [{ ruleShares: new Map([['items', 2]]) }, 'the share of rule items must be 0, or 0.000001 to 1, got 2'],
    [{ attributes: ['a b'] }, 'attributes must be names of 1 to 64 letters'],
    ...['auth', 'accessToken', 'x-api-keys', 'session.id'].map((name) => [{ attributes: ['device', name] }, `attributes must hold no secret, and ${name} is the name of one`] as const),
    [{ attributes: ['__proto__'] }, 'attributes must be names of 1 to 64 letters'],
    [{ attributes: Array.from({ length: 58 }, (_, at) => `a${at}`) }, 'attributes must be at most 64 with the standard ones, got 65'],
    [{ maxPerSecond: 0 }, 'maxPerSecond must be a number of at least 1, got 0'],
    [{ maxPerSecond: Infinity }, 'maxPerSecond must be a number of at least 1'],
    [{ region: '' }, 'region must have 1 to 256 characters'],
    [{ nodeId: 'n'.repeat(257) }, 'nodeId must have 1 to 256 characters'],
  ])('%j is refused by name', (options, message) => {
    expect(() => streamTo(new RecordingSink(), options)).toThrow(RangeError);
    expect(() => streamTo(new RecordingSink(), options)).toThrow(message);
  });

  it('takes the bounds themselves', async () => {
    for (const options of [{ capacity: 2 }, { allowShare: 0 }, { allowShare: 1e-6 }, { attributes: [...Array.from({ length: 57 }, (_, at) => `a${at}`), 'ip'] }]) {
      await streamTo(new RecordingSink(), options).close();
    }
  });
});
