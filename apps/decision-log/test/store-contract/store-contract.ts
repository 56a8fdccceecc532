import { aggregates } from './aggregates.js';
import type { ContractStore, OpenContractStore } from './contract-store.js';
import { finds } from './finds.js';
import { lifetimes } from './lifetimes.js';
import { writes } from './writes.js';

const YEARS_10_MS = 3_650 * 86_400_000;

/** What every store behind the port has to do (R81): run for each of them by its own spec. What is expected comes from an oracle in plain code. */
export function storeContract(name: string, open: OpenContractStore): void {
  describe(`${name} as a decision store`, () => {
    let opened: ContractStore;
    beforeAll(async () => {
      opened = await open({ retentionMs: YEARS_10_MS });
    });
    afterAll(() => opened.discard());

    describe('R81 write', () => writes(() => opened));
    describe('R82 find and scan', () => finds(() => opened));
    describe('R83 aggregate', () => aggregates(() => opened));
    describe('R81 life', () => lifetimes(open));
  });
}
