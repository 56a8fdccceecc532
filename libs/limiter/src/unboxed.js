/** The same number, as the engine's small integer where it fits into one: a field that was ever given another kind of number makes an object for each. */
export function unboxed(value) {
    const small = value | 0;
    return small === value ? small : value;
}
//# sourceMappingURL=unboxed.js.map