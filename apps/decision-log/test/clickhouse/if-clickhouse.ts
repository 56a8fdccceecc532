import { findClickHouse } from '@sluice/testkit';

const found = await findClickHouse();

/** `describe` where a ClickHouse can be had; else the suite is there by its name, skipped, with the reason in it. */
export function ifClickHouse(name: string, suite: () => void): void {
  if ('missing' in found) describe.skip(`${name} (skipped: ${found.missing})`, suite);
  else describe(name, suite);
}
