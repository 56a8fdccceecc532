import type { RecordMetadata } from 'kafkajs';
import { acknowledged, keepPartitions, placedMessage } from './placed-message.js';

const answer = (partition: number): RecordMetadata => ({ topicName: 't', partition, errorCode: 0 });
const partitionMetadata = [0, 1, 2, 3, 4].map((partitionId) => ({ partitionErrorCode: 0, partitionId, leader: 1, replicas: [1], isr: [1] }));

describe('R80 what was acknowledged of a request', () => {
  const messages = [0, 1, 0, 2].map((partition) => ({ key: null, value: '', partition }));

  it('is all when each partition has an answer', () => {
    expect(acknowledged(messages, [answer(2), answer(0), answer(1)])).toBe(4);
  });

  it('ends before the first message whose partition has none', () => {
    expect(acknowledged(messages, [answer(0), answer(1)])).toBe(3);
    expect(acknowledged(messages, [answer(0), answer(2)])).toBe(1);
    expect(acknowledged(messages, [])).toBe(0);
    expect(acknowledged([{ key: null, value: '' }], [answer(0)])).toBe(0);
  });
});

describe('R80 the partition of a message', () => {
  it('stays the same however often it is asked for, without a key too', () => {
    const partitioner = keepPartitions();
    for (let at = 0; at < 50; at += 1) {
      const message = placedMessage({ key: at % 2 === 0 ? '' : `k${at}`, value: 'x' });
      const first = partitioner({ topic: 't', partitionMetadata, message });
      expect(partitioner({ topic: 't', partitionMetadata, message })).toBe(first);
      expect(message.partition).toBe(first);
    }
  });
});
