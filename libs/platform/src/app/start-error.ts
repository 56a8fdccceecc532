/** Why a process cannot start, in words for who started it: no stack is shown. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
