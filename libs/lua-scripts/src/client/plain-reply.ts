/** A reply as ioredis' own commands give it: text for bytes. Numbers, which nearly all replies are made of, stay where they are. */
export function plainReply(reply: unknown): unknown {
  if (Buffer.isBuffer(reply)) return reply.toString();
  if (!Array.isArray(reply) || typeof reply[0] === 'number') return reply;
  return reply.map(plainReply);
}
