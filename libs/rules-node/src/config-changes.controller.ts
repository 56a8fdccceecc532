import { Controller, Inject } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { TOPICS } from '@sluice/events';
import type { SnapshotClient } from '@sluice/snapshot-client';

/** Token of the {@link SnapshotClient} in the module. */
export const SNAPSHOTS = Symbol('snapshots');

/** The push of the control plane: it carries only the version, and the poll covers a lost one (R55). */
@Controller()
export class ConfigChangesController {
  constructor(@Inject(SNAPSHOTS) private readonly snapshots: SnapshotClient) {}

  @EventPattern(TOPICS.config)
  onConfigChange(@Payload() event: unknown): void {
    if (typeof event === 'object' && event !== null && 'version' in event && typeof event.version === 'number') this.snapshots.wake(event.version);
  }
}
