import { type DynamicModule, Global, Module } from '@nestjs/common';
import type { EventBus, HealthChecks, Logger, Registry } from '@sluice/platform';
import { AbuseModule } from './abuse/abuse.module.js';
import { ABUSE_RULES } from './abuse/abuse-rules.token.js';
import type { AbuseRules } from './abuse/pattern.js';
import { AccessModule } from './access/access.module.js';
import { BacktestsModule } from './backtests/backtests.module.js';
import type { DecisionLogConfig } from './config/decision-log-config.js';
import type { DecisionStore } from './store/decision-store.js';
import { DecisionsModule } from './queries/decisions/decisions.module.js';
import { ExplainModule } from './queries/explain/explain.module.js';
import { ShadowReportModule } from './queries/shadow/shadow-report.module.js';
import { TopModule } from './queries/top/top.module.js';
import { UsageModule } from './queries/usage/usage.module.js';
import { SinkModule } from './sink/sink.module.js';
import { BUS, CONFIG, HEALTH, LOGGER, METRICS, STORE } from './tokens.js';

/** What the modules are made of. */
export interface DecisionLogModuleParts {
  readonly config: DecisionLogConfig;
  readonly abuseRules: AbuseRules;
  readonly store: DecisionStore;
  readonly bus: EventBus;
  readonly logger: Logger;
  readonly health: HealthChecks;
  readonly metrics: Registry;
}

/** The whole service: each part has a module of its own, which takes what it needs by the tokens. */
@Global()
@Module({})
export class DecisionLogModule {
  static with({ config, abuseRules, store, bus, logger, health, metrics }: DecisionLogModuleParts): DynamicModule {
    const parts = [
      { provide: CONFIG, useValue: config },
      { provide: ABUSE_RULES, useValue: abuseRules },
      { provide: STORE, useValue: store },
      { provide: BUS, useValue: bus },
      { provide: LOGGER, useValue: logger },
      { provide: HEALTH, useValue: health },
      { provide: METRICS, useValue: metrics },
    ];
    return { module: DecisionLogModule, imports: [SinkModule, AccessModule, AbuseModule, BacktestsModule, DecisionsModule, ExplainModule, UsageModule, TopModule, ShadowReportModule], providers: parts, exports: parts };
  }
}
