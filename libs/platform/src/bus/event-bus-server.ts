import { type CustomTransportStrategy, type MessageHandler, Server } from '@nestjs/microservices';
import { isObservable, lastValueFrom } from 'rxjs';
import type { Audience, BusMessage, EventBus, Subscription } from './event-bus.js';
import { EventContext } from './event-context.js';

/** How long a start waits for the bus; a bus that is down must not hold up an app that can do without it (R43). */
const READY_WAIT_MS = 5_000;

/** What a handler may say about itself: `@EventPattern<string>(topic, { groupId: 'log' })`. */
export interface EventHandlerExtras {
  readonly groupId?: string;
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
    this.subscriptions = [...this.messageHandlers].map(([topic, handler]) =>
      this.bus.subscribe(topic, this.audienceOf(handler), (message) => this.handleMessage(handler, message)),
    );
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

  private audienceOf(handler: MessageHandler): Audience {
    const groupId: unknown = handler.extras?.['groupId'];
    return typeof groupId === 'string' ? { groupId } : this.audience;
  }

  /** Nest chains several handlers of one topic behind the first, whose audience they share. */
  private async handleMessage(handler: MessageHandler, message: BusMessage): Promise<void> {
    const data: unknown = JSON.parse(message.value.toString('utf8'));
    const result: unknown = await handler(data, new EventContext([message]));
    if (isObservable(result)) await lastValueFrom(result, { defaultValue: undefined });
  }
}
