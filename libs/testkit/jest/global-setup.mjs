// Opens the test run before Jest forks its workers, which inherit its folder through the environment.
import { openTestRun } from '../src/run/open-test-run.ts';

export default function setup() {
  globalThis.sluiceTestRun = openTestRun();
}
