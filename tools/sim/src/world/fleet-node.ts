import { createLimiter, type LeaseSizing, type Limiter } from '@sluice/limiter';
import type { RuleIndex } from '@sluice/rules';
import type { Random } from '../random.js';
import type { SkewedClock } from '../time/skewed-clock.js';
import type { RemoteStore } from './remote-store.js';

/** One node of the simulated fleet: the real engine, a clock of its own, a connection of its own. */
export class FleetNode {
  readonly limiter: Limiter;
  /** Requests that this node has let pass. */
  admitted = 0;

  constructor(
    readonly store: RemoteStore,
    private readonly clock: SkewedClock,
    rules: RuleIndex,
    sizing: LeaseSizing,
    random: Random,
    fleetSize: number,
    nodeId: string,
  ) {
    this.limiter = createLimiter({ store, clock, rules, sizing, random, fleetSize, nodeId, maxKeys: 1_000, maxKeysPerRule: 1_000 });
  }

  /** As by kill -9: no more timers, nothing goes out, nothing comes in. */
  die(): void {
    this.clock.off = true;
    this.store.cut = true;
  }
}
