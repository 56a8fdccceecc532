import { type DynamicModule, Module } from '@nestjs/common';
import type { SnapshotClient } from '@sluice/snapshot-client';
import { ConfigChangesController, SNAPSHOTS } from './config-changes.controller.js';

/** The gateway's side door: the push. Health and metrics come with the application. */
@Module({})
export class OperationsModule {
  static register(snapshots: SnapshotClient): DynamicModule {
    return { module: OperationsModule, controllers: [ConfigChangesController], providers: [{ provide: SNAPSHOTS, useValue: snapshots }] };
  }
}
