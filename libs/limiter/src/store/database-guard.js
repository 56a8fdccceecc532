import { StoreFault } from './store-fault.js';
/**
 * Keeps counters out of a database that nobody meant: where a server refuses the one that is asked for, ioredis goes on in database 0. Here the
 * connection is dropped before a call is sent, and tried again.
 */
export class DatabaseGuard {
    constructor(client) {
        this.told = () => undefined;
        if (client.isCluster)
            return;
        const { options } = client;
        client.on('ready', () => (this.refused = undefined));
        client.on('error', (error) => {
            if (!isSelect(error))
                return;
            this.refused = new StoreFault('rejected', `database ${options.db} cannot be selected: ${error.message}`, { cause: error });
            client.stream.destroy();
            this.told(this.refused);
        });
    }
    /** @param told hears why, now or later, if the database is refused. */
    watch(told) {
        this.told = told;
        if (this.refused !== undefined)
            told(this.refused);
    }
}
function isSelect(error) {
    return error.command?.name === 'select';
}
//# sourceMappingURL=database-guard.js.map