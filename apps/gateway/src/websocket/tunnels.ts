import { CloseCode } from './close-frame.js';
import { Tunnel, type TunnelOptions } from './tunnel.js';

/** The open WebSockets of this process. */
export class Tunnels {
  private readonly open = new Set<Tunnel>();
  private closing = false;

  get size(): number {
    return this.open.size;
  }

  join(options: TunnelOptions): void {
    const tunnel = new Tunnel(options);
    this.open.add(tunnel);
    void tunnel.ended.then(() => this.open.delete(tunnel));
    // Its handshake began before the stop.
    if (this.closing) tunnel.close(CloseCode.goingAway, GOING_AWAY);
  }

  /** Tells all that the gateway stops (1001). Resolves when they are gone, in two seconds and a bit at most (R44). */
  async close(): Promise<void> {
    this.closing = true;
    for (const tunnel of this.open) tunnel.close(CloseCode.goingAway, GOING_AWAY);
    await Promise.all([...this.open].map(({ ended }) => ended));
  }
}

const GOING_AWAY = 'the gateway stops';
