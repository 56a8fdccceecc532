export { createGateway } from './create-gateway.js';
export type { GatewayParts, RunningGateway } from './create-gateway.js';
export { GATEWAY_CONFIG } from './config/gateway-config.js';
export type { GatewayConfig } from './config/gateway-config.js';
