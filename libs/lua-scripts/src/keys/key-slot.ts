/** CRC-16/XMODEM (polynomial 0x1021) of each byte, as Redis Cluster hashes keys. */
const TABLE = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 8;
  for (let bit = 0; bit < 8; bit += 1) crc = (crc & 0x8000) === 0 ? crc << 1 : (crc << 1) ^ 0x1021;
  return crc;
});

/**
 * The cluster slot of a key, 0 to 16383: of what stands between the first `{` and the next `}` if that is not empty, else of the
 * whole key (Redis Cluster specification, "Hash tags").
 */
export function keySlot(key: string): number {
  const open = key.indexOf('{');
  const close = open < 0 ? -1 : key.indexOf('}', open + 1);
  const hashed = close > open + 1 ? key.slice(open + 1, close) : key;
  let crc = 0;
  for (const byte of Buffer.from(hashed)) crc = ((crc << 8) ^ (TABLE[(crc >> 8) ^ byte] ?? 0)) & 0xffff;
  return crc & 16383;
}

/** The slot of a hash tag that is ASCII. */
export function tagSlot(tag: string): number {
  let crc = 0;
  for (let i = 0; i < tag.length; i += 1) crc = ((crc << 8) ^ (TABLE[(crc >> 8) ^ tag.charCodeAt(i)] ?? 0)) & 0xffff;
  return crc & 16383;
}
