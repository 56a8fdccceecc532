import type { StoreFault, StoreFaultKind } from './store-fault.js';

/** Why a call failed, fit for a log. */
export interface FaultReason {
  readonly kind: StoreFaultKind;
  /** Of the server or the client, without what was sent: that names counters. */
  readonly message: string;
}

const MOST_CHARACTERS = 200;

export function reasonOf({ kind, message }: StoreFault): FaultReason {
  const [line = ''] = message.split(/[\r\n]|,? with args beginning with/, 1);
  return { kind, message: line.slice(0, MOST_CHARACTERS) };
}
