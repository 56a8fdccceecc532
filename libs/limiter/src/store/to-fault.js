import { StoreFault } from './store-fault.js';
/** What a failed call means: the store answered with an error, or could not be reached. */
export function toFault(reason) {
    const error = reason instanceof Error ? reason : new Error(String(reason));
    const kind = error.name === 'ReplyError' || error.name === 'ScriptReplyError' ? 'rejected' : 'unavailable';
    return new StoreFault(kind, error.message, { cause: error });
}
//# sourceMappingURL=to-fault.js.map