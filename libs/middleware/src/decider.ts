import type { Decision, Reservation, ReserveOptions, Settlement } from '@sluice/limiter';
import type { RequestAttributes } from '@sluice/rules';

/** How a request is checked. */
export interface CheckOptions {
  /** The decision may be given back afterwards. An engine in this process always can; the decision service has to be told. Default false. */
  readonly refundable?: boolean | undefined;
}

/**
 * What the skins ask: an engine in this process (a `Limiter` is one), or the decision service. Both answer in values: a denial
 * is not an exception, and neither is a store or a service that is away (R41, R45). A RangeError is a bug of the caller.
 */
export interface Decider {
  /** Decides and charges; synchronous when every permit is at hand. Cost 0 is a peek. */
  check(attributes: RequestAttributes, cost?: number, options?: CheckOptions): Decision | Promise<Decision>;
  /** What {@link check} would answer; changes nothing. */
  peek(attributes: RequestAttributes, cost?: number): Promise<Decision>;
  /** Gives back what a decision charged; resolves to the permits given back over all its policies (R9). */
  refund(decision: Decision): Promise<number>;
  /** Charges an estimate, to be settled by its id (R14). */
  reserve(attributes: RequestAttributes, estimate: number, options?: ReserveOptions): Promise<Reservation>;
  /** Settles a reservation with the true amount, once, from wherever (R14). */
  settle(id: string, actual: number): Promise<Settlement>;
  /** Gives leases back, closes connections that are its own. */
  close(): Promise<void>;
}

/** What a skin asks of it; `refund` only where `refundWhen` is given. */
export type AskedDecider = Pick<Decider, 'check'> & Partial<Pick<Decider, 'refund'>>;
