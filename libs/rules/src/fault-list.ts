import type { Fault } from './fault.js';

/** Nobody reads more of one document, and a hostile one can have millions. */
export const MAX_FAULTS = 200;

/** The faults that a check notes: the first {@link MAX_FAULTS} are kept, and all are counted. */
export class FaultList {
  readonly kept: Fault[] = [];
  private noted = 0;

  /** How many were noted. */
  get length(): number {
    return this.noted;
  }

  /** Whether what is found from now on is not kept, so that nobody need look for it. */
  get isFull(): boolean {
    return this.noted >= MAX_FAULTS;
  }

  push(fault: Fault): void {
    if (!this.isFull) this.kept.push(fault);
    this.noted += 1;
  }
}
