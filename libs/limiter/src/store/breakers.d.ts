import { type BreakerSources, type ServerState } from './breaker.js';
import { type StoreFault } from './store-fault.js';
import { type FaultReason } from './fault-reason.js';
import { Trip } from './trip.js';
/** A server was given up; or it answers again, or is not asked any more. */
export interface BreakerEvent {
    /** `host:port` of the server, or of a cluster's master. */
    readonly server: string;
    readonly state: 'open' | 'closed';
    /** Of a server that is given up: what the last call came to. */
    readonly reason?: FaultReason;
}
/**
 * A breaker for each server behind one store (R40): one part of a cluster that hangs is left alone while the others are asked. Only
 * servers in trouble have one, so that a healthy store pays a look at an empty map.
 */
export declare class Breakers {
    private readonly sources;
    private readonly onBreaker;
    private readonly troubled;
    constructor(sources: BreakerSources, onBreaker: (event: BreakerEvent) => void);
    /** No server is in trouble. */
    get calm(): boolean;
    /** The servers that are given up. */
    get opened(): readonly string[];
    stateOf(server: string): ServerState;
    /** A trip to this server begins; undefined when it is left alone just now. */
    depart(server: string): Trip | undefined;
    succeeded(server: string): void;
    failed(server: string, probe: boolean, fault?: StoreFault): void;
    /** Forgets the servers of which `asked` says that they are not asked any more. */
    keep(asked: (server: string) => boolean): void;
}
