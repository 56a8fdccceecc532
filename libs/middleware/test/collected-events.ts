import { setTimeout as sleep } from 'node:timers/promises';
import { decodeDecisionEvent, type DecisionEvent } from '@sluice/events';

interface Message {
  readonly key: string;
  readonly value: string;
}

/** A sink that keeps what it is sent, for tests of what sends. */
export interface CollectedEvents {
  readonly sink: { send(messages: readonly Message[]): Promise<number> };
  /** As they were sent. */
  readonly messages: readonly Message[];
  /** Resolves to all, decoded, once there are so many; waits a moment for one too many. @throws Error where there are not, or where one is none */
  untilThere(count: number): Promise<readonly DecisionEvent[]>;
}

const TIMEOUT_MS = 10_000;
const MOMENT_MS = 300;

export function collectEvents(): CollectedEvents {
  const messages: Message[] = [];
  return {
    sink: {
      send(sent) {
        messages.push(...sent);
        return Promise.resolve(sent.length);
      },
    },
    messages,
    async untilThere(count) {
      for (const deadline = Date.now() + TIMEOUT_MS; messages.length < count && Date.now() < deadline; ) await sleep(10);
      await sleep(MOMENT_MS);
      if (messages.length !== count) throw new Error(`${messages.length} events and not ${count}: ${messages.map(({ value }) => value).join('\n')}`);
      return messages.map(eventOf);
    },
  };
}

function eventOf({ value }: Message): DecisionEvent {
  const decoded = decodeDecisionEvent(value);
  if (!decoded.ok) throw new Error(`an event ${decoded.reason}: ${value}`);
  return decoded.event;
}
