import { Module } from '@nestjs/common';
import type { DecisionLogConfig } from '../config/decision-log-config.js';
import { CONFIG } from '../tokens.js';
import { BacktestsController } from './backtests.controller.js';
import { Backtests } from './backtests.js';
import { RulesInForce } from './rules-in-force.js';

@Module({
  controllers: [BacktestsController],
  providers: [
    Backtests,
    {
      provide: RulesInForce,
      inject: [CONFIG],
      useFactory: ({ adminUrl, adminTokens: [token = ''] }: DecisionLogConfig) => new RulesInForce({ url: adminUrl, token }),
    },
  ],
})
export class BacktestsModule {}
