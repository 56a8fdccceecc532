import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { AttemptLimit } from '@sluice/attempt-limit';
import type { RulesAdminConfig } from '../config.js';
import { CONFIG } from '../tokens.js';

const DEFAULT_PER_ADDRESS = 10;
const ADDRESSES = 50;

/** How many logins may fail (R62). Only failures count, so that whoever has a valid token is not kept out by others behind the same address. */
@Injectable()
export class FailureLimit extends AttemptLimit implements OnApplicationShutdown {
  constructor(@Inject(CONFIG) { loginFailuresPerMinute = DEFAULT_PER_ADDRESS }: RulesAdminConfig) {
    super({ perAddress: loginFailuresPerMinute, addresses: ADDRESSES });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.close();
  }
}
