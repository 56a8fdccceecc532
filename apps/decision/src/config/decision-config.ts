import { type Config, integer, optional, text } from '@sluice/platform';
import { NODE_CONFIG, NODE_PROCESS_CONFIG, TOKEN_TEXT } from '@sluice/rules-node';

/** What the service itself reads; `standalone` gives the same object. */
export const DECISION_CONFIG = {
  /** Address to listen on. */
  host: text('SLUICE_DECISION_HOST', { default: '0.0.0.0' }),
  port: integer('SLUICE_DECISION_PORT', { min: 0, max: 65_535, default: 8090 }),
  /** Bearer token of the services that ask; absent: only callers on this machine may. */
  token: optional(text('SLUICE_DECISION_TOKEN', TOKEN_TEXT)),
  ...NODE_CONFIG,
} as const;

export type DecisionConfig = Config<typeof DECISION_CONFIG>;

/** What the process around it reads as well. */
export const DECISION_PROCESS_CONFIG = { ...DECISION_CONFIG, ...NODE_PROCESS_CONFIG } as const;
