import type { Cluster, Redis } from 'ioredis';
import { keySlot } from '../keys/key-slot.js';
import type { ScriptClient } from './script-client.js';

/** Longest wait for a node's first connection, ms: a call must not run when its caller has long stopped to ask (known failure 25). */
const CONNECT_WAIT_MS = 200;

const waits = new WeakMap<Redis, Promise<void>>();

/**
 * Ends when the node that has the key is connected or can not be; undefined when there is nothing to wait for. ioredis connects
 * to a node of a cluster by the first call to it, and without an offline queue it refuses all others until that is done.
 */
export function connecting(client: ScriptClient, key: string): Promise<void> | undefined {
  if (!client.isCluster || client.status !== 'ready') return undefined;
  const cluster = client as Cluster;
  const address = cluster.slots[keySlot(key)]?.[0];
  const node = cluster.nodes().find(({ options: { host, port } }) => `${host}:${port}` === address);
  if (node === undefined || !['wait', 'connecting', 'connect'].includes(node.status)) return undefined;
  // One wait a connection: once it has been too long, calls fail at once until the node is there or given up.
  const wait = waits.get(node) ?? firstConnection(node);
  waits.set(node, wait);
  return wait;
}

function firstConnection(node: Redis): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      node.off('ready', done).off('end', done);
      resolve();
    };
    const timer = setTimeout(done, CONNECT_WAIT_MS);
    node.once('ready', done).once('end', done);
    // Why it fails is told by the calls.
    if (node.status === 'wait') node.connect().catch(() => undefined);
  });
}
