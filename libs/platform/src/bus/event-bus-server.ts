import { BaseRpcContext, type CustomTransportStrategy, type MessageHandler, Server } from '@nestjs/microservices';
import { isObservable, lastValueFrom } from 'rxjs';
import type { BusBatch } from './event-batches.js';
import type { Audience, BusMessage, EventBus } from './event-bus.js';
import { EventContext } from './event-context.js';
import type { Subscription } from './subscription.js';

/** How long a start waits for the bus; a bus that is down must not hold up an app that can do without it (R43). */
const READY_WAIT_MS = 5_000;

/** What a handler may say about itself: `@EventPattern<string>(topic, { groupId: 'log' })`. */
export interface EventHandlerExtras {
  readonly groupId?: string;
  /** The payload is a {@link BusBatch}, its values not parsed; a failure is that of the batch. Needs a `groupId`, and is the only handler of its topic. */
  readonly batch?: boolean;
}

/**
 * Nest's event handlers over an {@link EventBus}, so that an app writes `@EventPattern<string>('sluice.config.v1')` and runs on Kafka or in one
 * process unchanged. The pattern is the topic, the payload the message's JSON. Without a `groupId` in the extras, a handler
 * gets `audience`.
 */
export class EventBusServer extends Server implements CustomTransportStrategy {
  // A handler's failure goes to the bus, which calls again and keeps dead letters.
  override readonly propagatesEventHandlerErrors = true;
  private subscriptions: Subscription[] = [];

  constructor(
    private readonly bus: EventBus,
    private readonly audience: Audience = 'broadcast',
  ) {
    super();
  }

  override listen(callback: (error?: unknown) => void): void {
    this.subscriptions = [...this.messageHandlers].map(([topic, handler]) => this.subscribe(topic, handler));
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, READY_WAIT_MS);
    });
    void Promise.race([Promise.all(this.subscriptions.map(({ ready }) => ready)), late]).then(() => {
      clearTimeout(timer);
      callback();
    }, callback);
  }

  override async close(): Promise<void> {
    await Promise.all(this.subscriptions.map((subscription) => subscription.close()));
    this.subscriptions = [];
  }

  override on(event: string): never {
    throw new Error(`An event bus has no event ${event}.`);
  }

  override unwrap<T>(): T {
    return this.bus as T;
  }

  private subscribe(topic: string, handler: MessageHandler): Subscription {
    const audience = this.audienceOf(handler);
    if (handler.extras?.['batch'] !== true) return this.bus.subscribe(topic, audience, (message) => this.handleMessage(handler, message));
    if (audience === 'broadcast') throw new Error(`The batch handler of ${topic} has no groupId.`);
    if (handler.next !== undefined) throw new Error(`${topic} has several handlers, one of which takes batches; that one must be the only one.`);
    return this.bus.subscribeBatches(topic, audience.groupId, (batch) => this.handleBatch(handler, batch));
  }

  private audienceOf(handler: MessageHandler): Audience {
    const groupId: unknown = handler.extras?.['groupId'];
    return typeof groupId === 'string' ? { groupId } : this.audience;
  }

  /** Nest chains several handlers of one topic behind the first, whose audience they share. */
  private async handleMessage(handler: MessageHandler, message: BusMessage): Promise<void> {
    const data: unknown = JSON.parse(message.value.toString('utf8'));
    await settle(await handler(data, new EventContext([message])));
  }

  private async handleBatch(handler: MessageHandler, batch: BusBatch): Promise<void> {
    await settle(await handler(batch, new BaseRpcContext([])));
  }
}

async function settle(result: unknown): Promise<void> {
  if (isObservable(result)) await lastValueFrom(result, { defaultValue: undefined });
}
