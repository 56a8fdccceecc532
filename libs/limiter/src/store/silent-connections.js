import { setImmediate as afterReading } from 'node:timers/promises';
import { nodeAt, slotsRefreshed } from '@sluice/lua-scripts';
import { Scout } from './scout.js';
/** How long a new connection may take to be greeted, ms. */
const GREETING_MS = 1_000;
/**
 * Replaces connections that have gone silent: an address that moved to another server, or a host that is gone without a word, leaves a
 * socket into which every probe would go for a quarter of an hour (R40). One on which nothing has arrived from one trip in trouble
 * to the next probe is suspected, and dropped only when a new connection is greeted while it is still silent: a server that merely hangs
 * greets nobody, and what it grants late must find its way back. Nothing is sent again (known failures 25 and 26): what was in the air fails.
 */
export class SilentConnections {
    /** @param onDropped hears of each connection that is given up for a new one. */
    constructor(client, onDropped) {
        this.client = client;
        this.onDropped = onDropped;
        this.heard = new WeakMap();
        this.scouts = new Map();
        this.closed = false;
    }
    /** A trip to this server is about to leave while servers are in trouble. */
    departs(server, probe) {
        const connection = this.client.isCluster ? nodeAt(this.client, server) : this.client;
        if (connection === undefined)
            return;
        const { stream } = connection;
        if (stream === undefined || stream.destroyed)
            return;
        const heard = this.heard.get(connection);
        const now = { stream, bytes: stream.bytesRead };
        if (heard?.stream !== stream || heard.bytes !== now.bytes)
            this.heard.set(connection, now);
        else if (probe && !this.closed && !this.scouts.has(connection))
            void this.replace(server, connection, now);
    }
    close() {
        this.closed = true;
        for (const scout of this.scouts.values())
            scout.close();
    }
    async replace(server, connection, { stream, bytes }) {
        const scout = new Scout(connection);
        this.scouts.set(connection, scout);
        const greeted = await scout.isGreeted(GREETING_MS);
        // Where the process itself was held up, what has arrived is read first.
        await afterReading();
        this.scouts.delete(connection);
        if (!greeted || this.closed || connection.stream !== stream || stream.destroyed || stream.bytesRead !== bytes)
            return;
        this.onDropped(new Error(`the connection to ${server} has gone silent and is replaced`));
        // Not by a farewell, for which a dead peer would keep it waiting.
        stream.destroy();
        stream.once('close', () => {
            // A cluster's client forgets a node that it loses, until it asks who has which slot.
            if (this.client.isCluster)
                void slotsRefreshed(this.client);
        });
    }
}
//# sourceMappingURL=silent-connections.js.map