import { toFault } from './to-fault.js';
/** What a store answers to so many questions. One that rejects or throws, against its contract, has answered each with a fault (R41). */
export async function answersOf(questions, send) {
    try {
        return await send();
    }
    catch (reason) {
        return new Array(questions).fill(toFault(reason));
    }
}
//# sourceMappingURL=answers-of.js.map