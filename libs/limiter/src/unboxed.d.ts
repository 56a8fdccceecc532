/** The same number, as the engine's small integer where it fits into one: a field that was ever given another kind of number makes an object for each. */
export declare function unboxed(value: number): number;
