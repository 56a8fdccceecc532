import { constants, type ServerHttp2Session } from 'node:http2';

/** Frames that ask for an answer and carry nothing, in {@link PERIOD_MS}. Clients that measure round trips while they send stay far below. */
const MOST_IN_A_PERIOD = 2_000;
const PERIOD_MS = 10_000;

/**
 * Ends a connection that floods PING or SETTINGS (CVE-2019-9512, CVE-2019-9515). node bounds the answers that nobody reads; this bounds the work for a
 * peer who reads them.
 */
export function boundControlFrames(session: ServerHttp2Session): void {
  let since = 0;
  let frames = 0;
  const count = (): void => {
    const nowMs = performance.now();
    if (nowMs - since > PERIOD_MS) {
      since = nowMs;
      frames = 0;
    }
    frames += 1;
    if (frames > MOST_IN_A_PERIOD && !session.destroyed) session.destroy(undefined, constants.NGHTTP2_ENHANCE_YOUR_CALM);
  };
  session.on('ping', count);
  session.on('remoteSettings', count);
}
