import type { Registry } from '@sluice/platform';
import type { AppliedSnapshot } from '@sluice/snapshot-client';
import { Histogram } from 'prom-client';

/**
 * Registers how long changes of the rules take from their commit to this node (R55). What a start brings is no change, and what is older
 * than the version before it is a database that was restored: neither is counted.
 */
export function observePropagation(registry: Registry): (applied: AppliedSnapshot) => void {
  const propagation = new Histogram({
    name: 'sluice_config_propagation_seconds',
    help: 'Time from the commit of a version of the rules, by the clock of the database, to its being in force on this node.',
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 20, 30, 60, 120],
    registers: [registry],
  });
  return ({ version, previousVersion, publishedAgeMs }) => {
    if (previousVersion === undefined || version <= previousVersion || publishedAgeMs === undefined) return;
    propagation.observe(publishedAgeMs / 1000);
  };
}
