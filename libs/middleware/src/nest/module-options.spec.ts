import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { RateLimit, RateLimitModule } from './index.js';

@Module({})
class App {}

const limiter = { check: () => undefined };

describe('R75 RateLimitModule refuses options that are none, and the app does not start', () => {
  it.each([
    [{ limiter, ttl: 60_000 }, 'RateLimitModule has no option ttl'],
    [{}, 'limiter is required'],
    [{ limiter: Promise.resolve(limiter) }, 'openLimiter was given a promise'],
    [{ limiter: { rules: { adminUrl: 'nonsense' } } }, 'rules.adminUrl is the base of the control plane'],
  ])('%j', async (options, message) => {
    for (const module of [RateLimitModule.forRoot(options as never), RateLimitModule.forRootAsync({ useFactory: () => options as never })]) {
      const starting = NestFactory.createApplicationContext({ module: App, imports: [module] }, { logger: false, abortOnError: false });
      await expect(starting).rejects.toThrow(message);
    }
  });

  it('so do decorators', () => {
    expect(() => RateLimit({ limit: 5 } as never)).toThrow('@RateLimit has no option limit');
  });
});
