import type { Redis } from 'ioredis';

type Connection = Redis['stream'];

/**
 * Calls in one write. A system call for each costs more than all the rest of the call; but a server that gets very many at once answers them
 * at once, and node and server then wait for one another in turns.
 */
const CALLS_A_WRITE = 8;

const held: { readonly connection: Connection; calls: number }[] = [];

/** To be called before each call: what is sent to this server until the end of the tick leaves together (R22), {@link CALLS_A_WRITE} at a time. */
export function holdWrites({ stream }: Redis): void {
  // Absent until the first connection, whatever its type says.
  if (!isOpen(stream)) return;
  const known = held.find(({ connection }) => connection === stream);
  if (known === undefined) {
    stream.cork();
    if (held.push({ connection: stream, calls: 1 }) === 1) process.nextTick(release);
  } else if (known.calls < CALLS_A_WRITE) {
    known.calls += 1;
  } else {
    stream.uncork();
    stream.cork();
    known.calls = 1;
  }
}

function isOpen(stream: Connection | undefined): stream is Connection {
  return stream !== undefined && !stream.destroyed;
}

function release(): void {
  for (const { connection } of held.splice(0)) connection.uncork();
}
