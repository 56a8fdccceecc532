/** How much longer than in `npm test` the faults last: `npm run test:faults` sets it. */
export const FAULT_FACTOR = Math.max(1, Number(process.env['SLUICE_FAULT_FACTOR'] ?? 1));

/** How long a fault lasts, ms, of which the short form is given. */
export function scaled(shortMs: number): number {
  return shortMs * FAULT_FACTOR;
}

/** For a test with one fault: time to start servers, to recover and to count, beside the fault itself. */
export const FAULT_TEST_MS = 60_000 + scaled(5_000);
