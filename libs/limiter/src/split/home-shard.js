/** A number of 32 bits that is the same for the same node: where its home is among the shards of every split counter. */
export function nodeNumber(nodeId) {
    let hash = 0x811c9dc5;
    for (let i = 0; i < nodeId.length; i += 1)
        hash = Math.imul(hash ^ nodeId.charCodeAt(i), 0x01000193);
    hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
    return (hash ^ (hash >>> 16)) >>> 0;
}
//# sourceMappingURL=home-shard.js.map