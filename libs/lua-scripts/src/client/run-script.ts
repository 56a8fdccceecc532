import type { ScriptCommand } from '../script-command.js';
import { connecting } from './node-connection.js';
import type { ScriptClient } from './script-client.js';
import { isNoScript } from './script-errors.js';

/**
 * Sends one call by EVALSHA, and only when the server says NOSCRIPT once more by EVAL, to the same node, since the keys are the
 * same (known failure 22). Any other failure rejects as it is: the script may have run (known failure 26).
 */
export async function runScript<T>(client: ScriptClient, command: ScriptCommand<T>): Promise<T> {
  return finish(client, command, await send(client, command));
}

/** Reads a reply, after a second call if the script asks for one. */
export async function finish<T>(client: ScriptClient, command: ScriptCommand<T>, reply: unknown): Promise<T> {
  const again = command.again?.(reply);
  return again === undefined ? command.decode(reply) : again.decode(await send(client, again));
}

/** EVALSHA, or EVAL where it is not known. */
export async function send(client: ScriptClient, command: ScriptCommand<unknown>): Promise<unknown> {
  const { script, keys, args } = command;
  const opening = connecting(client, keys[0] ?? '');
  if (opening !== undefined) await opening;
  try {
    return await client.evalsha(script.sha1, keys.length, ...keys, ...args);
  } catch (error) {
    if (isNoScript(error)) return sendSource(client, command);
    throw error;
  }
}

/** EVAL, which also makes the script known to its node. */
export function sendSource(client: ScriptClient, { script, keys, args }: ScriptCommand<unknown>): Promise<unknown> {
  return client.eval(script.source, keys.length, ...keys, ...args);
}
