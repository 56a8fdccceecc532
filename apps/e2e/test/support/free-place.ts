import { freePort } from '@sluice/testkit';

/** Ports of one's own, so that a story never meets a Sluice that runs on the default ones. */
export interface Place {
  readonly env: Readonly<Record<string, string>>;
  readonly gateway: string;
  readonly ops: string;
  readonly admin: string;
  readonly decision: string;
}

export async function freePlace(): Promise<Place> {
  const [gateway, ops, admin, decision] = await Promise.all([freePort(), freePort(), freePort(), freePort()]);
  return {
    env: { SLUICE_GATEWAY_PORT: `${gateway}`, SLUICE_GATEWAY_OPS_PORT: `${ops}`, SLUICE_ADMIN_PORT: `${admin}`, SLUICE_DECISION_PORT: `${decision}` },
    gateway: `http://127.0.0.1:${gateway}`,
    ops: `http://127.0.0.1:${ops}`,
    admin: `http://127.0.0.1:${admin}`,
    decision: `http://127.0.0.1:${decision}`,
  };
}
