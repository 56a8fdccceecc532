import { type ScriptClient } from '@sluice/lua-scripts';
/**
 * Replaces connections that have gone silent: an address that moved to another server, or a host that is gone without a word, leaves a
 * socket into which every probe would go for a quarter of an hour (R40). One on which nothing has arrived from one trip in trouble
 * to the next probe is suspected, and dropped only when a new connection is greeted while it is still silent: a server that merely hangs
 * greets nobody, and what it grants late must find its way back. Nothing is sent again (known failures 25 and 26): what was in the air fails.
 */
export declare class SilentConnections {
    private readonly client;
    private readonly onDropped;
    private readonly heard;
    private readonly scouts;
    private closed;
    /** @param onDropped hears of each connection that is given up for a new one. */
    constructor(client: ScriptClient, onDropped: (error: Error) => void);
    /** A trip to this server is about to leave while servers are in trouble. */
    departs(server: string, probe: boolean): void;
    close(): void;
    private replace;
}
