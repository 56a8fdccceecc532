import type { Decision } from '@sluice/limiter';
import type { RequestAttributes } from '@sluice/rules';
import type { AskedDecider } from './decider.js';
import type { HeaderChoice } from './skin/chosen-headers.js';
import type { SkinWarning } from './skin/warnings.js';
import type { ProxyTrust } from './trusted-proxies.js';

/** What all skins take; `R` is the framework's request. What a function here throws goes to the framework's error handler, as any bug does. */
export interface RateLimitOptions<R> {
  /** An engine in this process or the decision service; see `openLimiter`. One for the process, made at its start. */
  readonly limiter: AskedDecider;
  /** Attribute `rule`: 1 to 64 letters, digits, `_ . : / -`. Rules match it by `descriptors: {"rule": "search"}`. */
  readonly rule?: string | undefined;
  /** Attribute `key_id`: who is counted. Of an authenticated caller, never of a field that a client can forge (R77); an address by `ipKey`. */
  readonly key?: ((request: R) => string | undefined) | undefined;
  /** Further attributes; they win over `endpoint`, `ip`, `rule` and `key_id`. */
  readonly attributes?: ((request: R) => RequestAttributes) | undefined;
  /** Permits that a request takes, an integer of at least 0; 0 only looks. Default 1. */
  readonly cost?: number | ((request: R) => number) | undefined;
  /** Requests that are not counted; default CORS preflights (known failure 73). */
  readonly skip?: ((request: R) => boolean) | undefined;
  /** Whose `X-Forwarded-For` is believed for `ip` (R77); default `'none'`. */
  readonly trustedProxies?: ProxyTrust | undefined;
  /**
   * Whether routes tell `/Search` from `/search`, for limits that are bound where no route is known. Where they do not, as in Express by default, the path in `endpoint` is in
   * lower case, and rules for it have to be. Default: Express's `case sensitive routing` and Fastify's `caseSensitive`; Routers with an own setting need it here.
   */
  readonly caseSensitiveRoutes?: boolean | undefined;
  /** Which fields every answer has; default `'both'`. A refusal has `Retry-After` and `Cache-Control: no-store` whatever is chosen. */
  readonly headers?: HeaderChoice | undefined;
  /**
   * Looks at the answer when it was sent, and gives the permits back where it says true (only failures count, say). An answer that the client did not wait for
   * has no outcome: nothing is given back, or hanging up would be a way to pay nothing.
   */
  readonly refundWhen?: ((statusCode: number, request: R) => boolean) | undefined;
  /** Sees each decision, and the seconds that it took, before it is acted on; for metrics. */
  readonly observe?: ((decision: Decision, seconds: number, request: R) => void) | undefined;
  /** Hears what is set up wrong, each thing once; default `process.emitWarning`, once a process. */
  readonly onWarning?: ((warning: SkinWarning) => void) | undefined;
  /**
   * Tells this limit from others of the same `limiter` on one request: it is counted once for each name, however often a skin is bound (R75). Default: `rule`.
   */
  readonly name?: string | undefined;
}

/** What is left of the options once they said how the attributes are made. */
export type SkinOptions<R> = Omit<RateLimitOptions<R>, 'key' | 'attributes' | 'trustedProxies' | 'caseSensitiveRoutes'>;
