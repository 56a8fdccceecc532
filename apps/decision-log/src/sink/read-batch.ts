import { isUtf8 } from 'node:buffer';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { decodeDecisionEvent } from '@sluice/events';
import type { BatchMessage, BusBatch } from '@sluice/platform';
import type { ReceivedEvent } from '../store/decision-store.js';

/** Messages that are read in one go; requests of the same process wait no longer than these take. */
const AT_ONCE = 1_000;

/** A message that is no event. */
export interface DeadMessage {
  readonly message: BatchMessage;
  readonly reason: string;
}

/** A batch, read. */
export interface ReadBatch {
  readonly events: readonly ReceivedEvent[];
  readonly dead: readonly DeadMessage[];
}

/** Reads all messages of a batch; what is no event is not in the way of the others. */
export async function readBatch({ partition, messages }: BusBatch): Promise<ReadBatch> {
  const events: ReceivedEvent[] = [];
  const dead: DeadMessage[] = [];
  for (const [index, message] of messages.entries()) {
    if (index > 0 && index % AT_ONCE === 0) await nextTurn();
    // Other bytes would become replacement characters, and the event another one.
    const decoded = isUtf8(message.value) ? decodeDecisionEvent(message.value.toString('utf8')) : ({ ok: false, reason: 'is not UTF-8' } as const);
    if (decoded.ok) events.push({ partition, event: decoded.event });
    else dead.push({ message, reason: decoded.reason });
  }
  return { events, dead };
}
