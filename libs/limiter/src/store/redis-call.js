import { isAboutKeys } from '@sluice/lua-scripts';
import { StoreFault } from './store-fault.js';
import { toFault } from './to-fault.js';
/** One call in the air: tells its caller once, with the answer or a fault. */
export class RedisCall {
    constructor(trip, answered, 
    /** Takes an answer that comes after the time is over; absent where that is worth nothing. */
    late) {
        this.trip = trip;
        this.answered = answered;
        this.late = late;
        this.abandoned = false;
        this.landed = false;
    }
    resolved(value) {
        if (this.landed)
            this.late?.(value);
        else
            this.land(true, value);
    }
    rejected(reason) {
        // What is wrong with these keys alone says nothing about the server.
        if (!this.landed)
            this.land(isAboutKeys(reason), toFault(reason));
    }
    expire(fault) {
        this.abandoned = true;
        this.land(false, fault);
    }
    land(alive, answer) {
        if (this.landed)
            return;
        this.landed = true;
        this.trip.landed(alive, answer instanceof StoreFault ? answer : undefined);
        this.answered(answer);
    }
}
//# sourceMappingURL=redis-call.js.map