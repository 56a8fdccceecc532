import type { ScriptCommand } from '../script-command.js';
import type { ScriptClient } from './script-client.js';
import { sendScript } from './send-script.js';

/** {@link sendScript} with a promise: rejects with whatever ended the call, an error of the server or of the connection. */
export function runScript<T>(client: ScriptClient, command: ScriptCommand<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    sendScript(client, command, { abandoned: false, resolved: resolve, rejected: reject });
  });
}
