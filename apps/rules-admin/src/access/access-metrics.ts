import { Inject, Injectable } from '@nestjs/common';
import type { Registry } from '@sluice/platform';
import { Counter } from 'prom-client';
import { METRICS } from '../tokens.js';
import { DENIAL_REASONS } from './denial-reason.js';

/** What can be seen of the door from outside. */
@Injectable()
export class AccessMetrics {
  readonly denials: Counter<'reason'>;

  constructor(@Inject(METRICS) registry: Registry) {
    this.denials = new Counter({ name: 'sluice_access_denials_total', help: 'Requests that were not let in.', labelNames: ['reason'], registers: [registry] });
    // From zero, so that the first one is a rise.
    for (const reason of DENIAL_REASONS) this.denials.inc({ reason }, 0);
  }
}
