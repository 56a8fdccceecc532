import { openSync, readSync } from 'node:fs';

/**
 * Reads how long the main thread has waited for a processor since it began, ms: what the machine did with the time instead of us. Linux alone
 * says so; elsewhere it is always 0. Takes a few µs and allocates nothing, so that it can be read with each turn of the event loop.
 */
export function runDelayReader(): () => number {
  let file: number;
  try {
    file = openSync('/proc/thread-self/schedstat', 'r');
  } catch {
    return () => 0;
  }
  const text = Buffer.alloc(64);
  return () => {
    const length = readSync(file, text, 0, text.length, 0);
    // "run waited slices", the first two in ns.
    let at = text.indexOf(0x20) + 1;
    let waitedNs = 0;
    for (let digit = text[at]; digit !== undefined && digit !== 0x20 && at < length; digit = text[at]) {
      waitedNs = waitedNs * 10 + digit - 0x30;
      at += 1;
    }
    return waitedNs / 1e6;
  };
}
