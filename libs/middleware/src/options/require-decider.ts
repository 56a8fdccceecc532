/** @throws TypeError for what cannot be asked, such as a limiter that is still being opened */
export function requireDecider(limiter: unknown): void {
  if (typeof limiter === 'object' && limiter !== null) {
    if ('check' in limiter && typeof limiter.check === 'function') return;
    if (isPromise(limiter)) throw new TypeError('limiter is a promise: write `const limiter = await openLimiter(…)`, and give that');
  }
  throw new TypeError(`limiter is required, as openLimiter gives it (\`const limiter = await openLimiter(…)\`), not ${limiter === null ? 'null' : typeof limiter === 'object' ? 'an object without check()' : typeof limiter}`);
}

/** Whether somebody forgot to await it. */
export function isPromise(given: object): boolean {
  return 'then' in given && typeof given.then === 'function';
}
