/** How far the clock of an event may lie behind that of an earlier one of its producer, in ms: what a node takes for the store's clock is estimated anew all the time. */
export const STEP_BACK_MS = 1_000;
