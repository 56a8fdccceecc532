import type { ScriptCommand } from '../script-command.js';
import { runScript } from './run-script.js';
import type { ScriptClient } from './script-client.js';

/**
 * Sends many calls in one write to each node (R22); one failing leaves the others alone. Results are in the order of the calls.
 * Calls on different counters are independent; of several on one counter the order holds, except that one which meets NOSCRIPT
 * is sent again after the rest.
 */
export function runScripts<T>(client: ScriptClient, commands: readonly ScriptCommand<T>[]): Promise<PromiseSettledResult<T>[]> {
  return Promise.allSettled(commands.map((command) => runScript(client, command)));
}
