import type { Ask, AskEnd, CounterStore } from '../store/counter-store.js';
import { answersOf } from '../store/answers-of.js';
import { StoreFault } from '../store/store-fault.js';

/** Sends one question; the answer comes once, by itself. */
export type Asking = (ask: Ask, end: AskEnd) => void;

/** How a store is asked: question by question where it can, else all of one tick by one `take` (R22). */
export function askingOf(store: CounterStore): Asking {
  if (store.ask !== undefined) return (ask, end) => store.ask?.(ask, end);
  let asks: Ask[] = [];
  let waiting: AskEnd[] = [];
  const send = (): void => {
    const landing = waiting;
    const sent = asks;
    asks = [];
    waiting = [];
    void answersOf(sent.length, () => store.take(sent)).then((answers) => {
      landing.forEach((end, at) => end.answered(answers[at] ?? new StoreFault('rejected', 'the store left an ask unanswered')));
    });
  };
  return (ask, end) => {
    waiting.push(end);
    if (asks.push(ask) === 1) queueMicrotask(send);
  };
}
