import type { OutgoingMessage } from '@sluice/platform';
import type { DeadMessage } from './read-batch.js';

/** Bytes of a value that are kept. A broker takes messages up to some size, and one that it refuses would be in the way of all behind it for ever. */
const MAX_VALUE_BYTES = 65_536;
const MAX_KEY_CHARS = 1_024;

/** What is on `sluice.decisions.v1.dlq`. A message may be there more than once; partition and offset tell. */
export interface DeadLetter {
  /** What is wrong with it: `is not a JSON object`. */
  readonly reason: string;
  /** Where it was on the topic. */
  readonly partition: number;
  /** Decimal. */
  readonly offset: string;
  readonly key: string;
  /** The first 64 KiB. */
  readonly value_base64: string;
  /** Length of the whole. */
  readonly value_bytes: number;
}

export function deadLetter(partition: number, { message, reason }: DeadMessage): OutgoingMessage {
  const { offset, value } = message;
  const key = message.key.slice(0, MAX_KEY_CHARS);
  const letter: DeadLetter = {
    reason,
    partition,
    offset: offset.toString(),
    key,
    value_base64: value.subarray(0, MAX_VALUE_BYTES).toString('base64'),
    value_bytes: value.length,
  };
  return { key, value: JSON.stringify(letter) };
}
