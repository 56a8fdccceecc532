import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { AttemptLimit } from '@sluice/attempt-limit';
import type { DecisionLogConfig } from '../config/decision-log-config.js';
import { CONFIG } from '../tokens.js';

const DEFAULT_PER_ADDRESS = 10;
/** A hundred guesses a second by default, which the control plane answers in passing. Fewer would let few addresses shut out who is new here. */
const ADDRESSES = 600;

/**
 * How many tokens that this process has not heard of are asked about. The control plane counts failures by address as well, but all of ours come from one. A token
 * that was good lately is no guess.
 */
@Injectable()
export class GuessLimit extends AttemptLimit implements OnApplicationShutdown {
  constructor(@Inject(CONFIG) { loginFailuresPerMinute = DEFAULT_PER_ADDRESS }: Partial<Pick<DecisionLogConfig, 'loginFailuresPerMinute'>>) {
    super({ perAddress: loginFailuresPerMinute, addresses: ADDRESSES });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.close();
  }
}
