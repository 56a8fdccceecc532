import { type ScriptClient } from '@sluice/lua-scripts';
/**
 * A client for counters: it fails at once instead of queueing, and never sends a script twice (known failures 25 and 26).
 * @param url `redis://` or `rediss://`; a comma list names nodes of one cluster.
 * @throws RangeError for a URL that is none.
 */
export declare function redisClient(url: string, onError: (error: Error) => void): ScriptClient;
