/** Calls that leave for one server in one tick. One that is answered is a sign of life; only when none is has the trip failed. */
export class Trip {
    constructor(breakers, server, 
    /** One call that finds out whether the server is back; no second one may join it. */
    probe) {
        this.breakers = breakers;
        this.server = server;
        this.probe = probe;
        /** Let go when all have landed: the trip itself is remembered until its time is over. */
        this.calls = [];
        this.out = 0;
        this.answered = false;
        this.left = false;
    }
    add(call) {
        this.calls.push(call);
        this.out += 1;
    }
    /** Nobody joins any more; false when every call has landed already. */
    leave() {
        this.left = true;
        if (this.out === 0)
            this.end();
        return this.out > 0;
    }
    /** A call of it was answered, or was not. */
    landed(answered, fault) {
        this.out -= 1;
        if (!answered)
            this.fault = fault;
        if (answered && !this.answered) {
            this.answered = true;
            this.breakers.succeeded(this.server);
        }
        if (this.out === 0 && this.left)
            this.end();
    }
    get over() {
        return this.out === 0;
    }
    expire(fault) {
        for (const call of this.calls)
            call.expire(fault);
    }
    end() {
        this.calls = [];
        if (!this.answered)
            this.breakers.failed(this.server, this.probe, this.fault);
    }
}
//# sourceMappingURL=trip.js.map