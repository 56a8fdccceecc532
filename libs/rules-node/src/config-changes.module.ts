import { type DynamicModule, Module } from '@nestjs/common';
import type { SnapshotClient } from '@sluice/snapshot-client';
import { ConfigChangesController, SNAPSHOTS } from './config-changes.controller.js';

/** The Nest side of a node: the push. Health and metrics come with the application; hot routes are Fastify's own. */
@Module({})
export class ConfigChangesModule {
  static register(snapshots: SnapshotClient): DynamicModule {
    return { module: ConfigChangesModule, controllers: [ConfigChangesController], providers: [{ provide: SNAPSHOTS, useValue: snapshots }] };
  }
}
