import { RemoteDecider } from '../remote/remote-decider.js';
import type { LimiterStatus, RemoteLimiter, RemoteOptions } from './open-limiter-options.js';

/** The decision service has rules, or says that it has none; nothing is to be waited for here. */
class OpenedRemote extends RemoteDecider implements RemoteLimiter {
  readonly ready = Promise.resolve();

  private looking = false;

  status(): LimiterStatus {
    const { asked, failed, fallback, open, answered } = this.stats();
    if (!answered) this.look();
    const counts = `${failed} of ${asked} questions not answered, ${fallback} decisions without it`;
    if (asked === 0) return { ok: false, detail: 'the decision service was not asked yet' };
    if (!answered) return { ok: false, detail: `the decision service has not answered yet; ${counts}` };
    return { ok: true, detail: `${open ? 'degraded: the decision service does not answer' : 'the decision service answers'}; ${counts}` };
  }

  /** Whoever waits to be ready has no requests that would ask. */
  private look(): void {
    if (this.looking) return;
    this.looking = true;
    const looked = (): boolean => (this.looking = false);
    this.peek({ endpoint: 'GET /' }).then(looked, looked);
  }
}

export function openRemote({ decision, ...options }: RemoteOptions): RemoteLimiter {
  return new OpenedRemote({ ...options, url: decision });
}
