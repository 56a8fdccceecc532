import { problem, type ProblemTranslator } from '@sluice/platform';

/** The client broke off its own request: nobody's fault but its own, and nobody reads the answer. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone';

  constructor() {
    super('the client broke off its request');
  }

  /**
   * Whether an error of the client library is one. Node destroys a request that its client breaks off with just this error; the upstream's
   * own resets say `read ECONNRESET` or `other side closed`. Whether the request is destroyed tells nothing: the library does it too.
   */
  static isCauseOf(error: unknown): boolean {
    if (error instanceof ClientGone) return true;
    if (typeof error !== 'object' || error === null) return false;
    if ('code' in error && error.code === 'ECONNRESET' && 'message' in error && error.message === 'aborted') return true;
    return 'cause' in error && ClientGone.isCauseOf(error.cause);
  }
}

/** 499 is the status that proxies give such requests; nobody is there to read it. */
export const translateClientGone: ProblemTranslator = (error) => (error instanceof ClientGone ? { problem: problem(499, { title: 'Client Closed Request' }), headers: {} } : undefined);
