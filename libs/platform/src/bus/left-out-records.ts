/** The value of a message whose batch was too large to be read. */
export const LEFT_OUT = Buffer.from('this message was in a batch of more than 64 MiB, which is not read');

/** A batch of 1 MiB, compressed, hardly holds more. */
const MOST_RECORDS = 200_000;

/**
 * Records in the place of those of a batch, as Kafka's protocol has them (record v0), with the offsets of a batch without gaps: kafkajs asks for the content of a batch without saying how many records
 * it is to hold, reads as many as there were, and would try for ever where it gets none.
 */
export function leftOutRecords(): Buffer {
  // The attributes, no later than the first of the batch.
  const head = [0, 0];
  // No key, the value, no headers.
  const body = Buffer.concat([Buffer.from([...varInt(-1), ...varInt(LEFT_OUT.length)]), LEFT_OUT, Buffer.from(varInt(0))]);
  const records: Buffer[] = [];
  for (let at = 0; at < MOST_RECORDS; at += 1) {
    const start = [...head, ...varInt(at)];
    records.push(Buffer.from([...varInt(start.length + body.length), ...start]), body);
  }
  return Buffer.concat(records);
}

/** Signed, in groups of 7 bits, as protocol buffers have it. */
function varInt(value: number): number[] {
  const bytes: number[] = [];
  let rest = ((value << 1) ^ (value >> 31)) >>> 0;
  for (; rest > 0x7f; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
  return [...bytes, rest];
}
