import { ConfigError } from '../config/config-error.js';
import { StartError } from './start-error.js';

/** Runs a process's main function; what it throws is printed, a list of config faults and a {@link StartError} without a stack, and ends the process with code 1. */
export function runMain(main: () => Promise<void>): void {
  main().catch((error: unknown) => {
    const text = error instanceof ConfigError || error instanceof StartError ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error);
    process.stderr.write(`${text}\n`);
    process.exit(1);
  });
}
