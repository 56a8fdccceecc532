import type { StoreFault } from './store-fault.js';
import { toFault } from './to-fault.js';

/** What a store answers to so many questions. One that rejects or throws, against its contract, has answered each with a fault (R41). */
export async function answersOf<T>(questions: number, send: () => Promise<readonly T[]>): Promise<readonly (T | StoreFault)[]> {
  try {
    return await send();
  } catch (reason) {
    return new Array<StoreFault>(questions).fill(toFault(reason));
  }
}
