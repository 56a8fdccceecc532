/** Injection tokens of the parts that the process is made of. */
export const CONFIG = Symbol('config');
/** The {@link DecisionStore}. */
export const STORE = Symbol('store');
export const LOGGER = Symbol('logger');
/** The {@link EventBus}. */
export const BUS = Symbol('bus');
export const HEALTH = Symbol('health');
/** The registry of metrics. */
export const METRICS = Symbol('metrics');
