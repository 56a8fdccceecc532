import { FaultList } from './fault-list.js';
import type { Steps } from './steps.js';

/** One thing that is wrong with a document. */
export interface Fault {
  /** RFC 6901 JSON pointer to the field, such as `/rules/3/limit`; empty for the document itself. */
  readonly pointer: string;
  /** What is expected there, in one sentence for people. */
  readonly detail: string;
}

/** A checked document, or what is wrong with it: everything, up to `MAX_FAULTS`. A faulty document is an expected outcome, so no exception. */
export type Validated<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly faults: readonly Fault[] };

/** Appends one reference token to a pointer, escaped as RFC 6901 section 3 says. */
export function pointerTo(parent: string, token: string | number): string {
  return `${parent}/${String(token).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** Runs a reader over a document; `value` is what it made of it, unless it reported a fault. */
export function validated<T>(read: (faults: FaultList) => T | undefined): Validated<T> {
  const faults = new FaultList();
  return outcome(read(faults), faults);
}

/** As {@link validated}, for a reader that works in steps. */
export function* validatedInSteps<T>(read: (faults: FaultList) => Steps<T | undefined>): Steps<Validated<T>> {
  const faults = new FaultList();
  return outcome(yield* read(faults), faults);
}

function outcome<T>(value: T | undefined, faults: FaultList): Validated<T> {
  return value !== undefined && faults.length === 0 ? { ok: true, value } : { ok: false, faults: faults.kept };
}
