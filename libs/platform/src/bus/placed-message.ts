import { type ICustomPartitioner, Partitioners, type RecordMetadata } from 'kafkajs';
import type { OutgoingMessage } from './event-batches.js';

/** A message as kafkajs has it, with the partition that it was given. */
export interface PlacedMessage {
  readonly key: string | null;
  readonly value: Buffer | string;
  partition?: number;
}

export function placedMessage({ key, value }: OutgoingMessage): PlacedMessage {
  return { key: key === '' ? null : key, value };
}

/**
 * Kafka's own partitioner, whose choice is kept with the message: kafkajs asks again at each try, and for a message without a key the answer would be another one,
 * so that the broker could not tell a repeat.
 */
export const keepPartitions: ICustomPartitioner = () => {
  const choose = Partitioners.DefaultPartitioner();
  return (about) => {
    const message: { partition?: number } = about.message;
    return (message.partition ??= choose(about));
  };
};

/**
 * How many were acknowledged, counted from the first. kafkajs may resolve without: when a partition moves to another broker between two tries, and that broker has
 * answered for its others already, the messages of the partition are sent nowhere (2.2.4).
 */
export function acknowledged(messages: readonly PlacedMessage[], answers: readonly RecordMetadata[]): number {
  const partitions = new Set(answers.map(({ partition }) => partition));
  const missing = messages.findIndex(({ partition }) => partition === undefined || !partitions.has(partition));
  return missing === -1 ? messages.length : missing;
}
