import type { Redis } from 'ioredis';

type Connection = Redis['stream'];

const held: Connection[] = [];

/**
 * What is sent to this server until the end of the tick leaves in one write (R22). ioredis writes each command by itself, and the system
 * call costs more than all the rest of a call: measured at 256 in flight, 12 µs of the client's time a call singly, 3 µs together.
 */
export function holdWrites({ stream }: Redis): void {
  // Absent until the first connection, whatever its type says.
  if (!isOpen(stream) || stream.writableCorked > 0) return;
  stream.cork();
  if (held.push(stream) === 1) process.nextTick(release);
}

function isOpen(stream: Connection | undefined): stream is Connection {
  return stream !== undefined && !stream.destroyed;
}

function release(): void {
  for (const stream of held.splice(0)) stream.uncork();
}
