import { type Config, oneOf, optional, variable } from '@sluice/platform';
import { parseRuleShares, parseShare } from './shares.js';
import { parseStreamAttributes } from './stream-attributes.js';

/** What a node sends of what it decides (R80). */
export const STREAM_CONFIG = {
  /** Absent: on where there is a bus that reaches somebody. */
  stream: optional(oneOf('SLUICE_STREAM', ['on', 'off'])),
  /** Share of the decisions that allow which is sent, 0 to 1; what refuses is sent always. */
  streamAllowShare: variable<number>('SLUICE_STREAM_ALLOWS', { default: 0.01 }, parseShare),
  /** Other shares of decisions by single rules: `search=1,login=0.5`. */
  streamRuleShares: optional(variable<ReadonlyMap<string, number>>('SLUICE_STREAM_RULE_ALLOWS', {}, parseRuleShares)),
  /** Attributes that are sent beside the standard ones. */
  streamAttributes: optional(variable<readonly string[]>('SLUICE_STREAM_ATTRIBUTES', {}, parseStreamAttributes)),
} as const;

export type StreamConfig = Config<typeof STREAM_CONFIG>;
