import type { DecisionConfig } from '@sluice-app/decision';
import type { NodeConfig } from '@sluice/rules-node';
import type { StandaloneConfig } from './config.js';

/** The decision service's part of the configuration, under the names that it knows. */
export function decisionConfig(config: StandaloneConfig, node: NodeConfig): DecisionConfig {
  return {
    ...node,
    host: config.decisionHost,
    port: config.decisionPort,
    grpcPort: config.decisionGrpcPort,
    tokens: config.decisionTokens,
    askers: config.decisionAskers,
    socketPath: config.decisionSocketPath,
    tlsCertFile: config.decisionTlsCertFile,
    tlsKeyFile: config.decisionTlsKeyFile,
    tlsClientCaFile: config.decisionTlsClientCaFile,
    trustedProxies: config.trustedProxies,
    ownTrustedProxies: config.decisionTrustedProxies,
    rlsHeaders: config.decisionRlsHeaders,
  };
}
