import { answersOf } from '../store/answers-of.js';
import { StoreFault } from '../store/store-fault.js';
/** How a store is asked: question by question where it can, else all of one tick by one `take` (R22). */
export function askingOf(store) {
    if (store.ask !== undefined)
        return (ask, answered) => store.ask?.(ask, answered);
    let asks = [];
    let waiting = [];
    const send = () => {
        const landing = waiting;
        const sent = asks;
        asks = [];
        waiting = [];
        void answersOf(sent.length, () => store.take(sent)).then((answers) => {
            landing.forEach((answered, at) => answered(answers[at] ?? new StoreFault('rejected', 'the store left an ask unanswered')));
        });
    };
    return (ask, answered) => {
        waiting.push(answered);
        if (asks.push(ask) === 1)
            queueMicrotask(send);
    };
}
//# sourceMappingURL=asking.js.map