/**
 * The text may hold a password, so no error repeats it.
 * @param clustered whether it is one of several, the nodes of a cluster, which has one database only.
 * @throws RangeError for what is no URL of a Redis server and, perhaps, of one of its databases by number.
 */
export declare function assertRedisUrl(text: string, clustered: boolean): void;
