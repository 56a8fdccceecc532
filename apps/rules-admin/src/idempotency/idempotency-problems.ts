import { problem, ProblemException, problemType } from '@sluice/platform';

/** Ends a request with 409: the first request with its key is still being carried out. */
export function stillRunning(): ProblemException {
  const detail = 'A request with this Idempotency-Key is being carried out now. Send this one again for its answer.';
  return new ProblemException(problem(409, { type: problemType('request-in-progress'), title: 'Request in progress', detail }), { 'retry-after': '1' });
}

/** Ends a request with 422: its key was used for another one. */
export function keyReused(): ProblemException {
  const detail = 'This Idempotency-Key was used for a request that said something else. Nothing was changed. Choose a new key for a new request.';
  return new ProblemException(problem(422, { type: problemType('idempotency-key-reused'), title: 'Idempotency key reused', detail }));
}
