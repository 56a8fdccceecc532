import { Controller, Inject } from '@nestjs/common';
import { Ctx, EventPattern } from '@nestjs/microservices';
import { decodeConfigChanged, TOPICS } from '@sluice/events';
import type { EventContext } from '@sluice/platform';
import type { SnapshotClient } from '@sluice/snapshot-client';

/** Token of the {@link SnapshotClient} in the module. */
export const SNAPSHOTS = Symbol('snapshots');

/**
 * The push of the control plane: it carries only the version, and the poll covers a lost one (R55). It is a hint and no more: repeated, late and out of
 * order it does nothing, and a version that nobody has costs a few polls.
 */
@Controller()
export class ConfigChangesController {
  constructor(@Inject(SNAPSHOTS) private readonly snapshots: SnapshotClient) {}

  /** @throws Error for what is no such event: the bus logs and counts it as failed */
  @EventPattern(TOPICS.config)
  onConfigChange(@Ctx() { message }: EventContext): void {
    const decoded = decodeConfigChanged(message.value.toString('utf8'));
    if (!decoded.ok) throw new Error(`A message on ${TOPICS.config} ${decoded.reason}.`);
    this.snapshots.wake(decoded.event.version);
  }
}
