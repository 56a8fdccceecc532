import type { Answer, Ask, CounterStore } from '../store/counter-store.js';
/** Sends one question; the answer comes once, by itself. */
export type Asking = (ask: Ask, answered: (answer: Answer) => void) => void;
/** How a store is asked: question by question where it can, else all of one tick by one `take` (R22). */
export declare function askingOf(store: CounterStore): Asking;
