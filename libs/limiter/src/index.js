export { systemClock } from './clock.js';
export { createLimiter } from './create-limiter.js';
export { adaptiveLeases, fixedLeases } from './lease/lease-sizing.js';
export { DEFAULT_HOT_KEYS } from './split/hot-keys.js';
export { memoryStore } from './store/memory-store.js';
export { observingStore } from './store/observing-store.js';
export { redisStore } from './store/redis-store.js';
export { StoreFault } from './store/store-fault.js';
//# sourceMappingURL=index.js.map