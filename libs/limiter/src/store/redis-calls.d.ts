import { type ScriptClient, type ScriptCommand } from '@sluice/lua-scripts';
import type { ServerState } from './breaker.js';
import type { Breakers } from './breakers.js';
import type { SilentConnections } from './silent-connections.js';
import { type StoreFault } from './store-fault.js';
/** Calls of scripts on their way: those of one tick go to each server together, none waits for a server that is left alone (R22, R40). */
export declare class RedisCalls {
    private readonly client;
    private readonly breakers;
    private readonly silent;
    /** Trips that this tick's calls may still join, by server. */
    private readonly boarding;
    private readonly deadlines;
    private readonly only;
    constructor(client: ScriptClient, breakers: Breakers, silent: SilentConnections, timeoutMs: number);
    stateOf(key: string): ServerState;
    /**
     * Calls `answered` exactly once: at once when the server is left alone, else with its answer or, at the timeout, a fault. An answer that comes
     * after that goes to `late`.
     */
    send<T>(command: ScriptCommand<T>, answered: (answer: T | StoreFault) => void, late?: (value: T) => void): void;
    /** Answers in the order of the commands; `late` as in {@link send}, with the command's place. */
    sendAll<T>(commands: readonly ScriptCommand<T>[], late?: (value: T, at: number) => void): Promise<readonly (T | StoreFault)[]>;
    /** Sends what nobody waits for, also to a server that is left alone: only in answer to something that it sent. */
    post(command: ScriptCommand<unknown>): void;
    close(): void;
    private board;
    private depart;
    /** The server that has the key, as far as the client knows. */
    private serverOf;
}
