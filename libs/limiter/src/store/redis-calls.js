import { keySlot, sendScript, slotsRefreshed } from '@sluice/lua-scripts';
import { Deadlines } from './deadlines.js';
import { RedisCall } from './redis-call.js';
import { LEFT_ALONE } from './store-fault.js';
/** Where a call goes while the client does not know who has its slot. */
const CLUSTER = 'cluster';
const UNHEARD = { abandoned: false, resolved: () => undefined, rejected: () => undefined };
/** Calls of scripts on their way: those of one tick go to each server together, none waits for a server that is left alone (R22, R40). */
export class RedisCalls {
    constructor(client, breakers, silent, timeoutMs) {
        this.client = client;
        this.breakers = breakers;
        this.silent = silent;
        /** Trips that this tick's calls may still join, by server. */
        this.boarding = new Map();
        const { host = 'localhost', port = 6379 } = client.isCluster ? {} : client.options;
        this.only = `${host}:${port}`;
        this.deadlines = new Deadlines(timeoutMs, ({ probe }) => {
            // A server that hangs says nobody that another one took over from it: the others are asked.
            if (probe && client.isCluster)
                void slotsRefreshed(client);
        });
        // A server from which another one took over is not asked again, so it would stay given up for ever.
        if (client.isCluster)
            client.on('refresh', () => breakers.keep((server) => server === CLUSTER || client.slots.some(([owner]) => owner === server)));
    }
    stateOf(key) {
        return this.breakers.calm ? 'fine' : this.breakers.stateOf(this.serverOf(key));
    }
    /**
     * Calls `answered` exactly once: at once when the server is left alone, else with its answer or, at the timeout, a fault. An answer that comes
     * after that goes to `late`.
     */
    send(command, answered, late) {
        const trip = this.board(this.serverOf(command.keys[0] ?? ''));
        if (trip === undefined) {
            answered(LEFT_ALONE);
            return;
        }
        const call = new RedisCall(trip, answered, late);
        trip.add(call);
        sendScript(this.client, command, call);
    }
    /** Answers in the order of the commands; `late` as in {@link send}, with the command's place. */
    sendAll(commands, late) {
        if (commands.length === 0)
            return Promise.resolve([]);
        return new Promise((resolve) => {
            const answers = [];
            let missing = commands.length;
            commands.forEach((command, at) => {
                const answered = (answer) => {
                    answers[at] = answer;
                    missing -= 1;
                    if (missing === 0)
                        resolve(answers);
                };
                this.send(command, answered, late === undefined ? undefined : (value) => late(value, at));
            });
        });
    }
    /** Sends what nobody waits for, also to a server that is left alone: only in answer to something that it sent. */
    post(command) {
        sendScript(this.client, command, UNHEARD);
    }
    close() {
        this.silent.close();
        this.deadlines.close();
    }
    board(server) {
        const joined = this.boarding.get(server);
        if (joined !== undefined && !joined.probe)
            return joined;
        const trip = this.breakers.depart(server);
        if (trip === undefined)
            return undefined;
        if (!this.breakers.calm)
            this.silent.departs(server, trip.probe);
        if (this.boarding.size === 0)
            process.nextTick(() => this.depart());
        this.boarding.set(server, trip);
        return trip;
    }
    depart() {
        for (const trip of this.boarding.values())
            if (trip.leave())
                this.deadlines.watch(trip);
        this.boarding.clear();
    }
    /** The server that has the key, as far as the client knows. */
    serverOf(key) {
        return this.client.isCluster ? (this.client.slots[keySlot(key)]?.[0] ?? CLUSTER) : this.only;
    }
}
//# sourceMappingURL=redis-calls.js.map