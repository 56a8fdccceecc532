/** Injection tokens of what the app is given from outside. */
export const CONFIG = Symbol('rules-admin config');
export const LOGGER = Symbol('logger');
export const EVENT_BUS = Symbol('event bus');
export const HEALTH = Symbol('health checks');
/** The counters that nodes share, where whoever makes the app has them at hand. */
export const COUNTERS = Symbol('counters');
export const METRICS = Symbol('metrics registry');
