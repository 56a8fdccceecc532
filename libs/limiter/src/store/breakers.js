import { Breaker } from './breaker.js';
import { LEFT_ALONE } from './store-fault.js';
import { reasonOf } from './fault-reason.js';
import { Trip } from './trip.js';
/**
 * A breaker for each server behind one store (R40): one part of a cluster that hangs is left alone while the others are asked. Only
 * servers in trouble have one, so that a healthy store pays a look at an empty map.
 */
export class Breakers {
    constructor(sources, onBreaker) {
        this.sources = sources;
        this.onBreaker = onBreaker;
        this.troubled = new Map();
    }
    /** No server is in trouble. */
    get calm() {
        return this.troubled.size === 0;
    }
    /** The servers that are given up. */
    get opened() {
        return [...this.troubled].flatMap(([server, breaker]) => (breaker.opened ? [server] : []));
    }
    stateOf(server) {
        return this.troubled.get(server)?.state ?? 'fine';
    }
    /** A trip to this server begins; undefined when it is left alone just now. */
    depart(server) {
        const breaker = this.troubled.size === 0 ? undefined : this.troubled.get(server);
        if (breaker?.state === 'open')
            return undefined;
        return new Trip(this, server, breaker?.departs() ?? false);
    }
    succeeded(server) {
        if (this.troubled.size === 0)
            return;
        const breaker = this.troubled.get(server);
        if (breaker === undefined)
            return;
        const { opened } = breaker;
        breaker.succeeded();
        if (breaker.state === 'fine')
            this.troubled.delete(server);
        if (opened)
            this.onBreaker({ server, state: 'closed' });
    }
    failed(server, probe, fault = LEFT_ALONE) {
        let breaker = this.troubled.get(server);
        if (breaker === undefined)
            this.troubled.set(server, (breaker = new Breaker(this.sources)));
        const { opened } = breaker;
        breaker.failed(probe);
        if (breaker.opened && !opened)
            this.onBreaker({ server, state: 'open', reason: reasonOf(fault) });
    }
    /** Forgets the servers of which `asked` says that they are not asked any more. */
    keep(asked) {
        for (const [server, { opened }] of this.troubled) {
            if (asked(server))
                continue;
            this.troubled.delete(server);
            if (opened)
                this.onBreaker({ server, state: 'closed' });
        }
    }
}
//# sourceMappingURL=breakers.js.map