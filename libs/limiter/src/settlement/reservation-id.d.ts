/** 128 bits, base64url. */
export declare function newReservationId(): string;
/** Whether this can be an id: it comes from a client, and becomes part of a key. */
export declare function isReservationId(text: string): boolean;
