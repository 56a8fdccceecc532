/** `open`: nothing was sent, since the server failed several times in a row. */
export type StoreFaultKind = 'timeout' | 'unavailable' | 'rejected' | 'open';
/** The store did not answer, or answered with an error. A value in replies, never thrown at a caller of the limiter (R41, R45). */
export declare class StoreFault extends Error {
    readonly kind: StoreFaultKind;
    readonly name = "StoreFault";
    constructor(kind: StoreFaultKind, message: string, options?: ErrorOptions);
}
/** The answer to what was not asked; one for all, since an error is dear to make and an outage makes many. */
export declare const LEFT_ALONE: StoreFault;
/** Whether this answers a question that was never sent. */
export declare function wasNotAsked(answer: unknown): boolean;
