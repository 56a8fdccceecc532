import type { IncomingHttpHeaders } from 'node:http';
import { createLimiter, type Limiter, memoryStore, systemClock } from '@sluice/limiter';
import { compileSnapshot, type Rule } from '@sluice/rules';
import type { RateLimitOptions } from '../src/skin-options.js';

/** What the table's options read of a framework's request. */
export interface TableRequest {
  readonly headers: IncomingHttpHeaders;
}

export type TableOptions = RateLimitOptions<TableRequest>;

export interface SkinServer {
  readonly url: string;
  close(): Promise<void>;
}

export interface SkinParts {
  readonly bindings: number;
  readonly served: (path: string) => void;
  readonly slowMs: number;
  /** Listens there instead of on a port. */
  readonly socketPath?: string | undefined;
}

/**
 * One skin in its framework, bound for all requests: `GET /items/:id` answers 200 with the JSON of `decisionOf(raw)?.deciding?.remaining`, `OPTIONS` there
 * too, `GET /fails` 503, `GET /slow` 200 after `slowMs`; each calls `served`. Nothing answers `/nowhere`.
 */
export interface SkinHarness {
  readonly name: string;
  /** Whether the skin knows the template of a route here. */
  readonly knowsTemplates: boolean;
  /** Whether the skin sees requests that no route answers; default true. */
  readonly seesUnrouted?: boolean;
  start(options: TableOptions, parts: SkinParts): Promise<SkinServer>;
}

const PER_IP: Rule = { rule_id: 'per-ip', version: 1, policy: 'default', count_by: ['ip'], limit: 3, window_seconds: 60, algorithm: 'fixed_window' };

export function limiterWith(...rules: readonly Partial<Rule>[]): Limiter {
  const snapshot = { version: 1, plans: [], overrides: [], rules: rules.map((rule, at) => ({ ...PER_IP, rule_id: `rule-${at}`, ...rule })) };
  return createLimiter({ store: memoryStore(systemClock()), rules: compileSnapshot(snapshot) });
}
