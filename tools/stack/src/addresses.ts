import type { StandaloneConfig } from '@sluice-app/standalone';
import { freePort } from '@sluice/testkit';

/** Where one port is. */
export interface Address {
  readonly host: string;
  readonly port: number;
  /** From this machine. */
  readonly url: string;
}

/** Where the apps listen. */
export interface Addresses {
  readonly gateway: Address;
  readonly ops: Address;
  readonly admin: Address;
  readonly decision: Address;
  readonly decisionGrpc: Address;
  readonly decisionLog: Address;
}

/** The configured addresses; a port 0 becomes a free one here, since what an app chose by itself the stack could not know. */
export async function addressesOf(config: StandaloneConfig): Promise<Addresses> {
  const [gateway, ops, admin, decision, decisionGrpc, decisionLog] = await Promise.all([
    addressOf(config.gatewayHost, config.gatewayPort),
    addressOf(config.gatewayHost, config.gatewayOpsPort),
    addressOf(config.adminHost, config.adminPort),
    addressOf(config.decisionHost, config.decisionPort),
    addressOf(config.decisionHost, config.decisionGrpcPort),
    addressOf(config.decisionLogHost, config.decisionLogPort),
  ]);
  return { gateway, ops, admin, decision, decisionGrpc, decisionLog };
}

async function addressOf(host: string, wantedPort: number): Promise<Address> {
  const port = wantedPort === 0 ? await freePort() : wantedPort;
  return { host, port, url: `http://${reachable(host)}:${port}` };
}

/** All interfaces is a place to listen, not one to call. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
