import { every } from '../clock.js';
import { nodeNumber } from '../split/home-shard.js';
import { StoreFault } from '../store/store-fault.js';
/** Pace of the beats, ms; each node has its own within a tenth of it, so that nodes that start together drift apart. */
const PERIOD_MS = 1_000;
/** How long a node counts after a beat, ms: four may be lost before it is taken for dead. */
const TTL_MS = 5_000;
/**
 * How many nodes share each limit while the store is away (R41). While it is there each node beats to it about each second and hears how
 * many do; when it is away the last count stands. Never on the path of a request, and one beat in the air at most, so that none pile up
 * before a store that hangs.
 *
 * More nodes are believed at once, fewer after {@link TTL_MS} to twice that: a store that comes back empty counts one, and may fail again
 * before the others have beaten.
 */
export class Fleet {
    constructor(parts) {
        this.parts = parts;
        /** The most heard since `sinceMs`, and in the span before. */
        this.most = 0;
        this.before = 0;
        this.sinceMs = 0;
        this.answers = 0;
        this.stop = every(parts.clock, periodOf(parts.nodeId), () => this.beat());
        this.beat();
    }
    /** What is configured, else what was heard last, else 1: nobody can tell a node that has never reached its store how many it is one of. */
    get size() {
        return this.parts.configured ?? Math.max(1, this.most, this.before);
    }
    /**
     * Whether the size can be built on while the store is there: what is configured, or what the second beat heard. The first one of a fleet that
     * starts in one instant hears of those alone that were quicker.
     */
    get isSettled() {
        return this.parts.configured !== undefined || this.parts.store.heartbeat === undefined || this.answers > 1;
    }
    /** Which of so many seats is this node's: those of the fleet lie evenly over all of them. Until it has heard, by its name. */
    seatOf(seats) {
        const { place } = this;
        if (place === undefined)
            return nodeNumber(this.parts.nodeId) % seats;
        return Math.floor((place * seats) / Math.max(this.most, this.before, place + 1));
    }
    /** No longer counts, as soon as the store knows of it; ends within the store's timeout (R44). */
    async leave() {
        this.stop();
        await this.beating;
        const { store, key, nodeId } = this.parts;
        await store.heartbeat?.({ key, nodeId, ttlMs: 0 });
    }
    beat() {
        const { store, clock, key, nodeId } = this.parts;
        if (this.beating !== undefined || store.heartbeat === undefined)
            return;
        const auto = this.parts.splits?.();
        const beat = { key, nodeId, ttlMs: TTL_MS };
        this.beating = store.heartbeat(auto === undefined ? beat : { ...beat, splits: auto.ask(clock.nowMs()) }).then((answer) => {
            this.beating = undefined;
            if (answer instanceof StoreFault)
                return;
            this.hear(answer.nodes);
            this.place = answer.place;
            if (answer.splits !== undefined)
                auto?.hear(answer.splits);
        });
    }
    hear(nodes) {
        this.answers += 1;
        const nowMs = this.parts.clock.nowMs();
        if (nowMs - this.sinceMs >= TTL_MS) {
            this.before = this.most;
            this.most = 0;
            this.sinceMs = nowMs;
        }
        this.most = Math.max(this.most, nodes);
    }
}
/** The same for the same node, so that a simulation repeats. */
function periodOf(nodeId) {
    let hash = 0;
    for (const char of nodeId)
        hash = (hash * 31 + (char.codePointAt(0) ?? 0)) % 1009;
    return Math.round(PERIOD_MS * (0.9 + (0.2 * hash) / 1009));
}
//# sourceMappingURL=fleet.js.map