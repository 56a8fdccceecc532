const MOST_CHARACTERS = 200;
export function reasonOf({ kind, message }) {
    const [line = ''] = message.split(/[\r\n]|,? with args beginning with/, 1);
    return { kind, message: line.slice(0, MOST_CHARACTERS) };
}
//# sourceMappingURL=fault-reason.js.map