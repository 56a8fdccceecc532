import { HANDSHAKE_LATE } from '../websocket/shake-hands.js';
import { problem, type ProblemTranslator } from '@sluice/platform';

/** Codes of what took too long. */
const LATE: ReadonlySet<string> = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_CONNECT_TIMEOUT', HANDSHAKE_LATE]);

/** The upstream gave no answer. */
export class UpstreamFault extends Error {
  override readonly name = 'UpstreamFault';

  /** @param late whether it was too slow, rather than gone */
  constructor(
    readonly late: boolean,
    cause: Error,
  ) {
    super(`the upstream failed: ${cause.message}`, { cause });
  }

  /** Of an error of the client library. */
  static of(error: Error): UpstreamFault {
    return new UpstreamFault('code' in error && LATE.has(String(error.code)), error);
  }
}

/** 504 when the upstream was too slow, else 502. What went wrong inside is for the log. */
export const translateUpstreamFault: ProblemTranslator = (error) => {
  if (!(error instanceof UpstreamFault)) return undefined;
  const detail = error.late ? 'The service behind the gateway did not answer in time.' : 'The service behind the gateway cannot be reached.';
  return { problem: problem(error.late ? 504 : 502, { detail }), headers: {} };
};
