import { Inject, Module, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { HealthChecks, Logger, Registry } from '@sluice/platform';
import type { DecisionLogConfig } from '../config/decision-log-config.js';
import type { DecisionStore } from '../store/decision-store.js';
import { CONFIG, HEALTH, LOGGER, METRICS, STORE } from '../tokens.js';
import { AbuseController } from './abuse.controller.js';
import { ABUSE_RULES } from './abuse-rules.token.js';
import { Detector } from './detector.js';
import { Findings } from './findings.js';
import { findingCounter } from './finding-counter.js';
import { OverridesClient } from './overrides-client.js';
import type { AbuseRules } from './pattern.js';
import { Watch } from './watch.js';

/** Abuse detection on what the stream brought (R84). */
@Module({
  controllers: [AbuseController],
  providers: [
    { provide: Findings, useFactory: () => new Findings() },
    {
      provide: Detector,
      useFactory: (rules: AbuseRules, config: DecisionLogConfig, store: DecisionStore, findings: Findings, logger: Logger, metrics: Registry) =>
        new Detector({ rules, store, findings, logger, client: new OverridesClient({ adminUrl: config.adminUrl, token: config.adminTokens[0] ?? '' }), onFinding: findingCounter(metrics) }),
      inject: [ABUSE_RULES, CONFIG, STORE, Findings, LOGGER, METRICS],
    },
    { provide: Watch, useFactory: (rules: AbuseRules, detector: Detector) => new Watch(rules, detector), inject: [ABUSE_RULES, Detector] },
  ],
})
export class AbuseModule implements OnApplicationBootstrap, OnModuleDestroy {
  constructor(
    @Inject(HEALTH) private readonly health: HealthChecks,
    private readonly watch: Watch,
  ) {}

  onApplicationBootstrap(): void {
    this.health.register('abuse', () => this.watch.readiness());
    this.watch.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.watch.stop();
  }
}
