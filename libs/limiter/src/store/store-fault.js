/** The store did not answer, or answered with an error. A value in replies, never thrown at a caller of the limiter (R41, R45). */
export class StoreFault extends Error {
    constructor(kind, message, options) {
        super(message, options);
        this.kind = kind;
        this.name = 'StoreFault';
    }
}
/** The answer to what was not asked; one for all, since an error is dear to make and an outage makes many. */
export const LEFT_ALONE = new StoreFault('open', 'the server failed several times in a row and is left alone for a moment');
/** Whether this answers a question that was never sent. */
export function wasNotAsked(answer) {
    return answer instanceof StoreFault && answer.kind === 'open';
}
//# sourceMappingURL=store-fault.js.map