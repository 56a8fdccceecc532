import type { KeyDirectory, ProxyTrust } from '@sluice/middleware';
import type { Limiter } from '@sluice/limiter';
import type { Logger } from '@sluice/platform';
import type { NodeStream, ObserveDecision } from '@sluice/rules-node';
import type { FastifyInstance, onRequestHookHandler } from 'fastify';
import { askersOnly, type MayAsk } from './access/may-ask.js';
import { addAuthorizeRoute } from './authorize/authorize-route.js';
import { addBatchRoute } from './check/batch-route.js';
import { addCheckRoute } from './check/check-route.js';
import { addLimitsRoute } from './limits/limits-route.js';
import { addSettleRoutes } from './settle/settle-routes.js';

/** What the routes stand on. */
export interface RouteParts {
  readonly limiter: Pick<Limiter, 'check' | 'peek' | 'reserve' | 'refund' | 'settle'>;
  readonly keys: KeyDirectory;
  readonly observe: ObserveDecision;
  readonly stream: NodeStream | undefined;
  readonly mayAsk: MayAsk;
  /** Lets requests in once there are rules. */
  readonly loaded: onRequestHookHandler;
  readonly stopping: () => boolean;
  readonly trust: ProxyTrust;
  readonly logger: Pick<Logger, 'warn'>;
}

/** Every route of the service's own: raw ones, since requests of somebody's API wait for them. `openapi/` has an operation for each. */
export function addRoutes(fastify: FastifyInstance, { limiter, keys, observe, stream, mayAsk, loaded, stopping, trust, logger }: RouteParts): void {
  const asked = { limiter, observe, guards: [askersOnly(mayAsk), loaded], stopping };
  addCheckRoute(fastify, asked);
  addBatchRoute(fastify, asked);
  addSettleRoutes(fastify, asked);
  addAuthorizeRoute(fastify, { ...asked, stream, keys, trust, logger });
  addLimitsRoute(fastify, { limiter, keys, mayAsk, trust, guards: [loaded] });
}
