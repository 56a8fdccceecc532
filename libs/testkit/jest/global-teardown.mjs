// Ends every server of the run, unless somebody else opened it and still needs it.
import { closeTestRun } from '../src/run/close-test-run.ts';

export default async function teardown() {
  await closeTestRun(globalThis.sluiceTestRun);
}
