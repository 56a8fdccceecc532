import type { ScriptClient } from '@sluice/lua-scripts';
import { StoreFault } from './store-fault.js';
/**
 * Keeps counters out of a database that nobody meant: where a server refuses the one that is asked for, ioredis goes on in database 0. Here the
 * connection is dropped before a call is sent, and tried again.
 */
export declare class DatabaseGuard {
    private refused;
    private told;
    constructor(client: ScriptClient);
    /** @param told hears why, now or later, if the database is refused. */
    watch(told: (fault: StoreFault) => void): void;
}
