/** Nodes by when they were last seen: what `heartbeat.lua` keeps in Redis, for stores in this process. */
export class SeenNodes {
    constructor() {
        this.fleets = new Map();
    }
    /** Nodes that count now, and how many of them come before this one by name. */
    beat({ key, nodeId, ttlMs }, nowMs) {
        const seen = this.fleets.get(key) ?? new Map();
        this.fleets.set(key, seen);
        if (ttlMs === 0) {
            seen.delete(nodeId);
            if (seen.size === 0)
                this.fleets.delete(key);
            return { nodes: seen.size, place: 0 };
        }
        seen.set(nodeId, nowMs);
        for (const [each, atMs] of seen)
            if (atMs <= nowMs - ttlMs)
                seen.delete(each);
        return { nodes: seen.size, place: [...seen.keys()].filter((each) => each < nodeId).length };
    }
}
//# sourceMappingURL=seen-nodes.js.map