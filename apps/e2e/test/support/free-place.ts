import { freePort } from '@sluice/testkit';

/** Ports of one's own, so that a story never meets a Sluice that runs on the default ones. */
export interface Place {
  readonly env: Readonly<Record<string, string>>;
  readonly gateway: string;
  readonly ops: string;
  readonly admin: string;
  readonly decision: string;
  readonly decisionLog: string;
  /** host:port, for Envoy. */
  readonly decisionGrpc: string;
}

export async function freePlace(): Promise<Place> {
  const [gateway, ops, admin, decision, grpc, log] = await Promise.all([freePort(), freePort(), freePort(), freePort(), freePort(), freePort()]);
  return {
    env: { SLUICE_GATEWAY_PORT: `${gateway}`, SLUICE_GATEWAY_OPS_PORT: `${ops}`, SLUICE_ADMIN_PORT: `${admin}`, SLUICE_DECISION_PORT: `${decision}`, SLUICE_DECISION_GRPC_PORT: `${grpc}`, SLUICE_DECISION_LOG_PORT: `${log}` },
    gateway: `http://127.0.0.1:${gateway}`,
    ops: `http://127.0.0.1:${ops}`,
    admin: `http://127.0.0.1:${admin}`,
    decision: `http://127.0.0.1:${decision}`,
    decisionLog: `http://127.0.0.1:${log}`,
    decisionGrpc: `127.0.0.1:${grpc}`,
  };
}
