import { BaseRpcContext } from '@nestjs/microservices';
import type { BusMessage } from './event-bus.js';

/** What an `@EventPattern` handler may ask beside the payload (`@Ctx() context: EventContext`). */
export class EventContext extends BaseRpcContext<[BusMessage]> {
  get message(): BusMessage {
    return this.getArgByIndex(0);
  }
}
