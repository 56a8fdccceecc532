import type { Socket } from 'node:net';

/** Sockets on which TLS has not been agreed yet. Node's server waits for them when it closes, for as long as their peers like. */
export class Handshakes {
  private readonly sockets = new Map<string, Socket>();

  began(socket: Socket): void {
    const peer = peerOf(socket);
    this.sockets.set(peer, socket);
    socket.once('close', () => {
      if (this.sockets.get(peer) === socket) this.sockets.delete(peer);
    });
  }

  /** @param socket the TLS socket, which has the address of the one below it */
  ended(socket: Socket): void {
    this.sockets.delete(peerOf(socket));
  }

  cut(): void {
    for (const socket of this.sockets.values()) socket.destroy();
  }
}

function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
