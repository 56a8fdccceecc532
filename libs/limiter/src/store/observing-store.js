import { StoreFault } from './store-fault.js';
/**
 * The same counters for one who only looks: peeks reach the store, everything that would change it does not, whatever a limiter on it is asked to do. Nor
 * is one who looks counted among the nodes that share each limit; which counters are split he hears nevertheless (R28). Closing it leaves the store open.
 */
export function observingStore(store) {
    const take = async (asks) => {
        const answers = await store.take(asks.filter(isPeek));
        let next = 0;
        return asks.map((ask) => (isPeek(ask) ? (answers[next++] ?? REFUSED) : REFUSED));
    };
    return {
        take,
        takeAll: take,
        giveBack: async (returns) => returns.map(() => 0),
        charge: async (debits) => debits.map(() => REFUSED),
        reserve: async () => REFUSED,
        claim: async () => undefined,
        reset: async () => undefined,
        ...(store.spreads === undefined ? {} : { spreads: store.spreads }),
        ...(store.stateOf === undefined ? {} : { stateOf: (key) => store.stateOf?.(key) ?? 'fine' }),
        // A beat of one who leaves: heard, and not counted.
        ...(store.heartbeat === undefined
            ? {}
            : { heartbeat: async ({ splits, ...beat }) => (await store.heartbeat?.({ ...beat, ttlMs: 0, ...(splits === undefined ? {} : { splits: { ...splits, proposals: [] } }) })) ?? REFUSED }),
        close: async () => undefined,
    };
}
const REFUSED = new StoreFault('rejected', 'the counters are only looked at here');
function isPeek({ want, backAmount }) {
    return want === 0 && backAmount === 0;
}
//# sourceMappingURL=observing-store.js.map