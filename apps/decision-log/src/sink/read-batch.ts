import { isUtf8 } from 'node:buffer';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type DecisionEvent, type Decoded, decodeDecisionEvent } from '@sluice/events';
import { type BatchMessage, type BusBatch, LEFT_OUT } from '@sluice/platform';
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
    const decoded = read(message.value);
    if (decoded.ok) events.push({ partition, event: decoded.event });
    else dead.push({ message, reason: decoded.reason });
  }
  return { events, dead };
}

function read(value: Buffer): Decoded<DecisionEvent> {
  if (value.equals(LEFT_OUT)) return { ok: false, reason: 'was in a batch of more than 64 MiB, which is not read' };
  // Other bytes than UTF-8 would become replacement characters, and the event another one.
  return isUtf8(value) ? decodeDecisionEvent(value.toString('utf8')) : { ok: false, reason: 'is not UTF-8' };
}
