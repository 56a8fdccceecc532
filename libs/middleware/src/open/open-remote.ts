import { RemoteDecider } from '../remote/remote-decider.js';
import type { LimiterStatus, RemoteLimiter, RemoteOptions } from './open-limiter-options.js';

/** The decision service has rules, or says that it has none; nothing is to be waited for here. */
class OpenedRemote extends RemoteDecider implements RemoteLimiter {
  readonly ready = Promise.resolve();

  status(): LimiterStatus {
    const { asked, failed, fallback, open } = this.stats();
    return { ok: true, detail: `${open ? 'degraded: the decision service does not answer' : 'the decision service answers'}; ${failed} of ${asked} questions not answered, ${fallback} decisions without it` };
  }
}

export function openRemote({ decision, ...options }: RemoteOptions): RemoteLimiter {
  return new OpenedRemote({ ...options, url: decision });
}
