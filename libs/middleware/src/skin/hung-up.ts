import type { RawRequest, RawResponse } from './skin-adapter.js';

/** Whether nobody waits for this answer any more; of HTTP/2 the stream says so, for which the request's socket stands. */
export function hungUp(raw: RawRequest, response: RawResponse): boolean {
  return response.destroyed === true || raw.socket.destroyed === true;
}
