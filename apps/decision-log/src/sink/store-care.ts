import { Inject, Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { Logger } from '@sluice/platform';
import type { DecisionStore } from '../store/decision-store.js';
import { LOGGER, STORE } from '../tokens.js';

const EVERY_MS = 60_000;

/** Lets the store do once a minute what is due: parts written out, those past the retention removed. */
@Injectable()
export class StoreCare implements OnModuleInit, OnModuleDestroy {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private failing = false;

  constructor(
    @Inject(STORE) private readonly store: DecisionStore,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    this.timer = setInterval(() => this.tend(), EVERY_MS).unref();
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }

  /** Unless it is still at it. */
  private tend(): void {
    this.running ??= this.store
      .tend(Date.now())
      .then(
        () => {
          this.failing = false;
        },
        (error: unknown) => {
          this.logger[this.failing ? 'debug' : 'warn']({ err: error }, 'the store was not tended; it is tried again in a minute');
          this.failing = true;
        },
      )
      .finally(() => {
        this.running = undefined;
      });
  }
}
