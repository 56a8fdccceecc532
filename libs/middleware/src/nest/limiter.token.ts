import { Inject } from '@nestjs/common';

/** Token of the `Decider` that {@link RateLimitModule} was given, or has opened. */
export const LIMITER = Symbol('sluice.limiter');

/** Injects the limiter, to check, peek, reserve or refund by hand: `constructor(@InjectLimiter() private readonly limiter: Decider)`. */
export const InjectLimiter = (): ParameterDecorator & PropertyDecorator => Inject(LIMITER);
