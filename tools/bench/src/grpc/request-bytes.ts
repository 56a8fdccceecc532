const TEXT_1 = 0x0a;
const TEXT_2 = 0x12;

/** `RateLimitRequest` of one descriptor, as Envoy would send it: domain in field 1, descriptors in field 2, of these entries in field 1 with key and value. All of them short. */
export function requestBytes(domain: string, entries: Readonly<Record<string, string>>): Buffer {
  const descriptor = Buffer.concat(Object.entries(entries).map(([key, value]) => part(TEXT_1, Buffer.concat([part(TEXT_1, Buffer.from(key)), part(TEXT_2, Buffer.from(value))]))));
  return Buffer.concat([part(TEXT_1, Buffer.from(domain)), part(TEXT_2, descriptor)]);
}

function part(tag: number, bytes: Buffer): Buffer {
  if (bytes.length > 127) throw new RangeError('longer than a length of one byte says');
  return Buffer.concat([Buffer.from([tag, bytes.length]), bytes]);
}
