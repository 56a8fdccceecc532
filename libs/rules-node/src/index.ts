export { ConfigChangesModule } from './config-changes.module.js';
export { NODE_CONFIG, NODE_PROCESS_CONFIG, TOKEN_TEXT } from './node-config.js';
export type { NodeConfig, NodeProcessConfig } from './node-config.js';
export { runNodeProcess } from './node-process.js';
export type { NodeProcessParts, NodeService } from './node-process.js';
export { openRedisStore } from './open-redis-store.js';
export type { ObserveDecision } from './register-metrics.js';
export { createRulesNode } from './rules-node.js';
export type { RulesNode, RulesNodeOptions } from './rules-node.js';
