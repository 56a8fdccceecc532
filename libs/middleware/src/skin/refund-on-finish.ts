import type { Decision } from '@sluice/limiter';
import type { AskedDecider } from '../decider.js';
import type { RawResponse } from './skin-adapter.js';
import type { Warnings } from './warnings.js';

/** Gives a decision back when the answer was sent and says so. `finish` comes once, and never when the client broke off before. */
export function refundOnFinish(response: RawResponse, limiter: AskedDecider, decision: Decision, when: (statusCode: number) => boolean, warnings: Warnings): void {
  const failed = (error: unknown): void => warnings.tell('SLUICE_REFUND_FAILED', String(error));
  response.on('finish', () => {
    try {
      // An exception here would end the process: nobody is left to answer it to.
      if (when(response.statusCode)) limiter.refund?.(decision).catch(failed);
    } catch (error) {
      failed(error);
    }
  });
}
