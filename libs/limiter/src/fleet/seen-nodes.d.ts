import type { Heartbeat } from '../store/counter-store.js';
/** Nodes by when they were last seen: what `heartbeat.lua` keeps in Redis, for stores in this process. */
export declare class SeenNodes {
    private readonly fleets;
    /** Nodes that count now, and how many of them come before this one by name. */
    beat({ key, nodeId, ttlMs }: Heartbeat, nowMs: number): {
        readonly nodes: number;
        readonly place: number;
    };
}
