import { setTimeout as sleep } from 'node:timers/promises';
import { EventBusServer } from '@sluice/platform';

/** A broker that answers needs a few ms; one that hangs would take all the time that a stop has (R44). */
const LEAVE_MS = 500;

/**
 * Nest's transport for the push. A stop tells the broker so, and does not wait for long until it has heard it: each node is a group of its own, so that nobody else waits
 * for the place, and of the push nothing is in hand that could be lost.
 */
export class PushServer extends EventBusServer {
  override async close(): Promise<void> {
    await Promise.race([super.close(), sleep(LEAVE_MS, undefined, { ref: false })]);
  }
}
