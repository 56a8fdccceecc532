import type { Cluster, ClusterOptions, Redis, RedisOptions } from 'ioredis';

/** Where scripts run: a single server, or a cluster, which routes a call by its first key. */
export type ScriptClient = Redis | Cluster;

/**
 * What a client of these scripts must be made with. A take whose reply was lost may have been counted, so it must fail, and not be
 * sent again behind our back (known failure 26) or wait in a queue for a server that comes back in another window (known failure 25).
 * The defaults of ioredis do both; `autoResendUnfulfilledCommands: false` alone leaves the call hanging for ever.
 */
export const NO_RESEND: RedisOptions = {
  maxRetriesPerRequest: 0,
  autoResendUnfulfilledCommands: false,
  enableOfflineQueue: false,
};

/**
 * The same for a cluster: MOVED and ASK are still followed, as they say that nothing has run. While no node is reached, and until the
 * client's first `ready`, calls fail at once: wait for that event. `runScript` and `runScripts` wait for a node's first connection.
 * A call that meets TRYAGAIN or CLUSTERDOWN has not run either, but would run long after its caller stopped to ask if it were tried
 * for as long as ioredis does (16 times, 100 ms apart).
 */
export const NO_RESEND_CLUSTER: ClusterOptions = {
  enableOfflineQueue: false,
  maxRedirections: 4,
  retryDelayOnFailover: 0,
  retryDelayOnClusterDown: 0,
  retryDelayOnTryAgain: 2,
  redisOptions: { maxRetriesPerRequest: 0, autoResendUnfulfilledCommands: false },
};
