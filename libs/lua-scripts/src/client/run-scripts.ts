import type { Cluster } from 'ioredis';
import { keySlot } from '../keys/key-slot.js';
import type { ScriptCommand } from '../script-command.js';
import { connecting } from './node-connection.js';
import { finish, runScript, send, sendSource } from './run-script.js';
import type { ScriptClient } from './script-client.js';
import { isNoScript, isRedirection } from './script-errors.js';

/** Position of a call in the caller's list, and the call. */
type Entry<T> = readonly [index: number, command: ScriptCommand<T>];

/**
 * Sends many calls in one write to each node (R22); one failing leaves the others alone. Results are in the order of the calls.
 * Calls on different counters are independent; of several on one counter the order holds, except that one which meets NOSCRIPT
 * is sent again after the rest.
 */
export async function runScripts<T>(client: ScriptClient, commands: readonly ScriptCommand<T>[]): Promise<PromiseSettledResult<T>[]> {
  const [only] = commands;
  if (only !== undefined && commands.length === 1) return Promise.allSettled([runScript(client, only)]);
  const entries = commands.map((command, index): Entry<T> => [index, command]);
  const groups = client.isCluster ? byNode(client as Cluster, entries) : [entries];
  const results: PromiseSettledResult<T>[] = [];
  await Promise.all(
    groups.map(async (group) => {
      const replies = await sendTogether(client, group);
      await Promise.all(group.map(async ([index, command], i) => (results[index] = await settle(resolve(client, command, replies?.[i])))));
    }),
  );
  return results;
}

/** At once, as the results of the other nodes may be late: a rejection that waits for them is one that nobody handles. */
function settle<T>(result: Promise<T>): Promise<PromiseSettledResult<T>> {
  return result.then(
    (value) => ({ status: 'fulfilled', value }),
    (reason: unknown) => ({ status: 'rejected', reason }),
  );
}

/** Error and reply of each call; undefined when the client refused the batch before it sent any of it. */
async function sendTogether(client: ScriptClient, group: readonly Entry<unknown>[]): Promise<[Error | null, unknown][] | undefined> {
  // Before it knows the slots ioredis holds a batch back; one call alone it refuses.
  if (client.isCluster && client.status !== 'ready') return undefined;
  const opening = connecting(client, group[0]?.[1].keys[0] ?? '');
  if (opening !== undefined) await opening;
  try {
    const pipeline = client.pipeline();
    for (const [, { script, keys, args }] of group) pipeline.evalsha(script.sha1, keys.length, ...keys, ...args);
    return (await pipeline.exec()) ?? undefined;
  } catch {
    return undefined;
  }
}

async function resolve<T>(client: ScriptClient, command: ScriptCommand<T>, reply: [Error | null, unknown] | undefined): Promise<T> {
  if (reply === undefined) return runScript(client, command);
  const [error, value] = reply;
  if (error === null) return finish(client, command, value);
  if (isNoScript(error)) return finish(client, command, await sendSource(client, command));
  // In a batch ioredis follows a redirection only if no call of the batch has run; a call alone it follows always.
  if (client.isCluster && isRedirection(error)) return finish(client, command, await send(client, command));
  throw error;
}

/** The calls by the node that has their slot, as far as the client knows. */
function byNode<T>(cluster: Cluster, entries: readonly Entry<T>[]): Entry<T>[][] {
  const groups = new Map<string, Entry<T>[]>();
  for (const entry of entries) {
    const slot = keySlot(entry[1].keys[0] ?? '');
    const node = cluster.slots[slot]?.[0] ?? String(slot);
    const group = groups.get(node);
    if (group === undefined) groups.set(node, [entry]);
    else group.push(entry);
  }
  return [...groups.values()];
}
