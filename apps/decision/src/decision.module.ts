import { type DynamicModule, Module } from '@nestjs/common';
import type { SnapshotClient } from '@sluice/snapshot-client';
import { ConfigChangesController, SNAPSHOTS } from './config-changes.controller.js';

/** The Nest side of the service: the push. Its hot routes are Fastify's own. */
@Module({})
export class DecisionModule {
  static register(snapshots: SnapshotClient): DynamicModule {
    return { module: DecisionModule, controllers: [ConfigChangesController], providers: [{ provide: SNAPSHOTS, useValue: snapshots }] };
  }
}
