/**
 * The text may hold a password, so no error repeats it.
 * @param clustered whether it is one of several, the nodes of a cluster, which has one database only.
 * @throws RangeError for what is no URL of a Redis server and, perhaps, of one of its databases by number.
 */
export function assertRedisUrl(text, clustered) {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (url === undefined || (url.protocol !== 'redis:' && url.protocol !== 'rediss:')) {
        throw new RangeError('a Redis URL starts with redis:// or rediss://; several are separated by commas');
    }
    const database = url.pathname.replace(/^\//, '');
    if (database === '')
        return;
    if (clustered)
        throw new RangeError('the URL of a cluster names no database: a cluster has only one');
    if (!/^\d{1,9}$/.test(database))
        throw new RangeError('what follows the host in a Redis URL is the number of a database');
}
//# sourceMappingURL=assert-redis-url.js.map