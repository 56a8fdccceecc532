import { counterKey, shardKey } from '@sluice/lua-scripts';
import { normalizeIp } from '@sluice/rules';
/** Addresses seen lately and what they count as; parsing one costs more than a decision. */
const MAX_KNOWN_ADDRESSES = 10_000;
let knownAddresses = new Map();
/** The values that this request counts under (R11); the rule applies, so its attributes are there. */
export function counterValues({ countBy }, attributes) {
    const first = countBy[0];
    return countBy.length === 1 && first !== undefined ? valueOf(first, attributes) : valuesOf(countBy, attributes);
}
/** By itself: a function with a closure in it pays for that also where the closure is not made. */
function valuesOf(names, attributes) {
    return names.map((name) => valueOf(name, attributes));
}
/** Where the requests of a rule are counted together that came after it had too many keys: nobody is unlimited (R11, known failure 33). */
export const OVERFLOW = [];
/** The key, in the store, of the counter that these terms are of: a shard's, where they are a shard's. */
export function keyOf({ rule, keyPrefix, shard }, values) {
    const name = counterName(rule.identity, values, keyPrefix);
    return shard === undefined ? name : shardKey(name, shard.at, shard.of);
}
/** The key of a whole counter in the store. */
export function counterName(identity, values, prefix) {
    return counterKey(identity, typeof values === 'string' ? [values] : values, prefix);
}
function valueOf(name, attributes) {
    const value = attributes[name];
    if (value === undefined)
        return '';
    return name === 'ip' ? countedAddress(value) : value;
}
/** IPv6 by its subnet, IPv4-mapped as IPv4; what is no address counts as it is written. */
function countedAddress(text) {
    let counted = knownAddresses.get(text);
    if (counted === undefined) {
        counted = normalizeIp(text) ?? text;
        if (knownAddresses.size >= MAX_KNOWN_ADDRESSES)
            knownAddresses = new Map();
        knownAddresses.set(text, counted);
    }
    return counted;
}
//# sourceMappingURL=counter-name.js.map