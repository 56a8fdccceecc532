import type { Warnings } from './warnings.js';

/** That many are no accident of a test. */
const ENOUGH = 10;

let seen = 0;

/**
 * Notices skins that are built for each request. A server takes a request in another turn of the event loop than the one in which it was set up; a
 * skin that is asked in the very stretch of code that built it was built by the handler.
 */
export class Freshness {
  private fresh = true;

  constructor(private readonly warnings: Warnings) {
    queueMicrotask(() => {
      this.fresh = false;
    });
  }

  /** Called at the first request. */
  used(): void {
    if (!this.fresh) return;
    seen += 1;
    if (seen >= ENOUGH) this.warnings.tell('SLUICE_SKIN_PER_REQUEST');
  }
}
