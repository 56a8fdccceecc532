import { Inject, Injectable, type OnApplicationShutdown, Optional } from '@nestjs/common';
import { type CounterStore, createLimiter, type Decision, type Limiter, observingStore, type RedisStore, redisStore } from '@sluice/limiter';
import type { Logger } from '@sluice/platform';
import type { RequestAttributes, RuleIndex } from '@sluice/rules';
import type { RulesAdminConfig } from '../config.js';
import { CONFIG, COUNTERS, LOGGER } from '../tokens.js';

/** How long the first explanation waits for the connection. */
const READY_MS = 1_000;
/** The same trouble is said again after this time. */
const REPEAT_MS = 60_000;

/** Looks at the counters that nodes share, where this control plane was told of them; it changes nothing there, and is no node. */
@Injectable()
export class LiveCounters implements OnApplicationShutdown {
  private opened: { readonly store: CounterStore; readonly limiter: Limiter; readonly ready: Promise<void>; rules: RuleIndex } | undefined;
  private saidAtMs = -Infinity;

  constructor(
    @Inject(CONFIG) private readonly config: RulesAdminConfig,
    @Inject(LOGGER) private readonly logger: Logger,
    @Optional() @Inject(COUNTERS) private readonly counters: CounterStore | undefined,
  ) {}

  /** What the decision would be by these rules; undefined where there are no counters to read. Never takes longer than the store's timeout. */
  async peek(rules: RuleIndex, attributes: RequestAttributes, cost: number): Promise<Decision | undefined> {
    this.opened ??= this.open(rules);
    if (this.opened === undefined) return undefined;
    await this.opened.ready;
    if (this.opened.rules !== rules) {
      this.opened.limiter.use(rules);
      this.opened.rules = rules;
    }
    return this.opened.limiter.peek(attributes, cost);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.opened?.limiter.close();
    // Those that were handed in are whoever's made them.
    if (this.counters === undefined) await this.opened?.store.close();
  }

  private open(rules: RuleIndex): typeof this.opened {
    const { redisUrls } = this.config;
    if (this.counters !== undefined) return this.watch(this.counters, rules, Promise.resolve());
    if (redisUrls === undefined) return undefined;
    const store = this.connect(redisUrls);
    // Of a store that is not there the answer says so.
    return this.watch(store, rules, store.ready(READY_MS).catch(() => undefined));
  }

  private watch(store: CounterStore, rules: RuleIndex, ready: Promise<void>): NonNullable<typeof this.opened> {
    return { store, limiter: createLimiter({ store: observingStore(store), rules }), ready, rules };
  }

  private connect(redisUrls: readonly string[]): RedisStore {
    return redisStore({
      url: redisUrls.join(','),
      onError: ({ message }) => {
        const nowMs = performance.now();
        if (nowMs - this.saidAtMs < REPEAT_MS) return;
        this.saidAtMs = nowMs;
        this.logger.warn({ reason: message }, 'no connection to the counter store; explanations come without counters');
      },
    });
  }
}
