/** The value that `start` hands over: at once where it does so within the call, else as a promise. */
export function settledBy<T extends object>(start: (done: (value: T) => void) => void): T | Promise<T> {
  let settled: T | undefined;
  let resolve: ((value: T) => void) | undefined;
  start((value) => {
    settled = value;
    resolve?.(value);
  });
  return settled ?? new Promise((whenSettled) => (resolve = whenSettled));
}
