/**
 * @throws RangeError for a client with an option that the scripts cannot work with: keys that are changed behind the back of cluster slots and
 * hash tags, numbers that come as text, a time that ends calls whose answers are still taken, calls that are sent twice.
 */
export function assertFitClient(client) {
    const options = client.isCluster ? { ...client.options.redisOptions, ...pick(client.options) } : client.options;
    if (options.keyPrefix !== undefined && options.keyPrefix !== '')
        unfit('keyPrefix', 'the limiter has a keyPrefix of its own');
    if (options.stringNumbers === true)
        unfit('stringNumbers', 'scripts answer in numbers');
    if (options.commandTimeout !== undefined)
        unfit('commandTimeout', 'the store has timeoutMs for it');
    // ioredis takes anything but false for true, and a connection that has gone silent is dropped with calls in it.
    if (options.autoResendUnfulfilledCommands !== false)
        unfit('autoResendUnfulfilledCommands', 'it must be false, as in NO_RESEND and NO_RESEND_CLUSTER');
}
function pick({ keyPrefix }) {
    return keyPrefix === undefined ? {} : { keyPrefix };
}
function unfit(option, why) {
    throw new RangeError(`the Redis client must not have been made with this ${option}: ${why}`);
}
//# sourceMappingURL=assert-fit-client.js.map