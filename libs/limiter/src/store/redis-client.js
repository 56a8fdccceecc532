import { NO_RESEND, NO_RESEND_CLUSTER } from '@sluice/lua-scripts';
import { Cluster, Redis } from 'ioredis';
import { assertRedisUrl } from './assert-redis-url.js';
/** Longest pause between attempts to reconnect, ms: a store that is back is found within it. */
const MAX_RECONNECT_MS = 500;
/** How long an attempt to connect may stay without an answer, ms: the address may belong to another host by then. */
const CONNECT_MS = 2_000;
/**
 * A client for counters: it fails at once instead of queueing, and never sends a script twice (known failures 25 and 26).
 * @param url `redis://` or `rediss://`; a comma list names nodes of one cluster.
 * @throws RangeError for a URL that is none.
 */
export function redisClient(url, onError) {
    const urls = url.split(',').map((each) => each.trim());
    for (const each of urls)
        assertRedisUrl(each, urls.length > 1);
    const reconnectMs = (attempt) => Math.min(MAX_RECONNECT_MS, 20 * 2 ** Math.min(attempt, 8));
    const [only = ''] = urls;
    const client = urls.length === 1
        ? new Redis(only, { ...NO_RESEND, connectTimeout: CONNECT_MS, retryStrategy: reconnectMs, reconnectOnError: (error) => error.message.startsWith('READONLY') })
        : clusterOf(urls, reconnectMs);
    client.on('error', onError);
    return client;
}
function clusterOf(urls, reconnectMs) {
    const { username, password, protocol } = new URL(urls[0] ?? '');
    return new Cluster([...urls], {
        ...NO_RESEND_CLUSTER,
        clusterRetryStrategy: reconnectMs,
        redisOptions: {
            ...NO_RESEND_CLUSTER.redisOptions,
            connectTimeout: CONNECT_MS,
            ...(username !== '' && { username: decodeURIComponent(username) }),
            ...(password !== '' && { password: decodeURIComponent(password) }),
            ...(protocol === 'rediss:' && { tls: {} }),
        },
    });
}
//# sourceMappingURL=redis-client.js.map