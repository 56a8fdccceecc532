import { LEFT_OUT } from '@sluice/platform';
import { deadLetter } from './dead-letter.js';
import { readBatch } from './read-batch.js';

describe('R81 a message that is no event', () => {
  it('is told from events by its bytes alone, wherever it stands in the batch', async () => {
    const values = [Buffer.from('no json'), Buffer.from([0xc3, 0x28]), Buffer.alloc(0), LEFT_OUT];
    const { events, dead } = await readBatch({ topic: 't', partition: 2, messages: values.map((value, index) => ({ key: 'k', value, offset: BigInt(index) })) });
    expect(events).toEqual([]);
    expect(dead.map(({ reason }) => reason)).toEqual(['is not a JSON object', 'is not UTF-8', 'is not a JSON object', 'was in a batch of more than 64 MiB, which is not read']);
  });

  it('becomes a letter that a broker takes, however large it was', () => {
    const { key, value } = deadLetter(2, { reason: 'is not a JSON object', message: { key: 'k'.repeat(5_000), value: Buffer.alloc(900_000, 7), offset: 9_007_199_254_740_993n } });
    expect(key).toHaveLength(1_024);
    expect(value.length).toBeLessThan(100_000);
    const letter = JSON.parse(value.toString()) as Record<string, unknown>;
    expect(letter).toMatchObject({ reason: 'is not a JSON object', partition: 2, offset: '9007199254740993', value_bytes: 900_000 });
    expect(Buffer.from(String(letter['value_base64']), 'base64')).toEqual(Buffer.alloc(65_536, 7));
  });
});
