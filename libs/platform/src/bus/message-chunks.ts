import type { OutgoingMessage } from './event-batches.js';

/** kafkajs copies what it has of a partition for each message, so that the time of a request grows with the square of its messages. */
const MAX_MESSAGES = 1_000;
/** A broker takes 1 MiB of compressed messages by default; as many that do not compress must fit. */
const MAX_BYTES = 900_000;

/** Cuts messages into requests, in order. One that is too large by itself goes alone: the broker says what it thinks of it. */
export function* messageChunks(messages: readonly OutgoingMessage[]): Generator<readonly OutgoingMessage[]> {
  let from = 0;
  let bytes = 0;
  for (const [index, { key, value }] of messages.entries()) {
    // Of a text at most 3 bytes a character; counting them exactly costs more than a smaller request does.
    const size = key.length + (typeof value === 'string' ? value.length : value.byteLength);
    if (index > from && (index - from === MAX_MESSAGES || bytes + size > MAX_BYTES)) {
      yield messages.slice(from, index);
      from = index;
      bytes = 0;
    }
    bytes += size;
  }
  if (from < messages.length) yield messages.slice(from);
}
