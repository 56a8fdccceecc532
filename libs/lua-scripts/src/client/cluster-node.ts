import type { Cluster, Redis } from 'ioredis';

/** Longest wait for a node's first connection, ms: a call must not run when its caller has long stopped to ask (known failure 25). */
const CONNECT_WAIT_MS = 200;

const known = new WeakMap<Cluster, Map<string, Redis>>();
const waits = new WeakMap<Redis, Promise<void>>();
const refreshes = new WeakMap<Cluster, Promise<void>>();

/** The master of a slot, as far as the client knows. */
export function nodeOf(cluster: Cluster, slot: number): Redis | undefined {
  const address = cluster.slots[slot]?.[0];
  return address === undefined ? undefined : nodeAt(cluster, address);
}

/** The client's connection to `host:port`, if it has one. */
export function nodeAt(cluster: Cluster, address: string): Redis | undefined {
  let nodes = known.get(cluster);
  const node = nodes?.get(address);
  if (node !== undefined && node.status !== 'end') return node;
  nodes = new Map(cluster.nodes().map((each) => [`${each.options.host}:${each.options.port}`, each]));
  known.set(cluster, nodes);
  return nodes.get(address);
}

/**
 * Ends when the node is connected or can not be; undefined when there is nothing to wait for. ioredis connects to a node of a cluster by
 * the first call to it, and without an offline queue it refuses all others until that is done.
 */
export function connecting(node: Redis): Promise<void> | undefined {
  if (node.status !== 'wait' && node.status !== 'connecting' && node.status !== 'connect') return undefined;
  // One wait a connection: once it has been too long, calls fail at once until the node is there or given up.
  const wait = waits.get(node) ?? firstConnection(node);
  waits.set(node, wait);
  return wait;
}

/** Asks the cluster anew which node has which slot; one question at a time, and never a rejection. */
export function slotsRefreshed(cluster: Cluster): Promise<void> {
  let refresh = refreshes.get(cluster);
  if (refresh === undefined) {
    refresh = new Promise((resolve) => {
      cluster.refreshSlotsCache(() => {
        refreshes.delete(cluster);
        resolve();
      });
    });
    refreshes.set(cluster, refresh);
  }
  return refresh;
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
