import { randomBytes } from 'node:crypto';
/** 128 bits, base64url. */
export function newReservationId() {
    return randomBytes(16).toString('base64url');
}
/** Whether this can be an id: it comes from a client, and becomes part of a key. */
export function isReservationId(text) {
    return /^[\w-]{22}$/.test(text);
}
//# sourceMappingURL=reservation-id.js.map