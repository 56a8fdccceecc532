import type { WantedPort } from '@sluice/platform';
import type { StandaloneConfig } from './config.js';

/** The ports that a configuration says to listen on. */
export function portsOf(config: StandaloneConfig): WantedPort[] {
  return [
    { variable: 'SLUICE_GATEWAY_PORT', host: config.gatewayHost, port: config.gatewayPort },
    { variable: 'SLUICE_GATEWAY_OPS_PORT', host: config.gatewayHost, port: config.gatewayOpsPort },
    { variable: 'SLUICE_ADMIN_PORT', host: config.adminHost, port: config.adminPort },
    { variable: 'SLUICE_DECISION_PORT', host: config.decisionHost, port: config.decisionPort },
    { variable: 'SLUICE_DECISION_GRPC_PORT', host: config.decisionHost, port: config.decisionGrpcPort },
    ...(config.stream === 'off' ? [] : [{ variable: 'SLUICE_DECISION_LOG_PORT', host: config.decisionLogHost, port: config.decisionLogPort } as const]),
  ];
}
