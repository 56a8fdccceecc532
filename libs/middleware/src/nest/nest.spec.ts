import { Body, Catch, Controller, Get, type ArgumentsHost, type DynamicModule, type ExceptionFilter, type ExecutionContext, HttpCode, type INestApplication, Injectable, Module, Options, Param, Post, UseGuards, VersioningType } from '@nestjs/common';
import { APP_FILTER, APP_GUARD } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { Decision, Limiter } from '@sluice/limiter';
import { refusal } from '../../test/decision-fixture.js';
import { limiterOf, PLATFORMS, startNest } from '../../test/nest-app.js';
import { allowed, scriptedDecider } from '../../test/scripted-decider.js';
import type { Decider } from '../decider.js';
import { rateLimit as expressRateLimit } from '../express/index.js';
import { fastifyRateLimit } from '../fastify/index.js';
import type { SkinWarning } from '../skin/warnings.js';
import { InjectLimiter, RateLimit, RateLimitException, RateLimitGuard, RateLimitKey, RateLimitModule, SkipRateLimit } from './index.js';

const callerOf = (context: ExecutionContext): string | undefined => context.switchToHttp().getRequest<{ headers: Record<string, string | undefined> }>().headers['x-user'];

@Controller('items')
class Items {
  constructor(@InjectLimiter() private readonly limiter: Decider) {}

  @Get('left')
  @SkipRateLimit()
  async left(): Promise<number> {
    return (await this.limiter.peek({ endpoint: 'GET /items/{id}', ip: '127.0.0.1' })).deciding?.remaining ?? -1;
  }

  @Get(':id')
  one(@Param('id') id: string): string {
    return `item ${id}`;
  }

  @Options(':id')
  options(): string {
    return 'GET';
  }

  @Post()
  @HttpCode(201)
  @RateLimit('write', { cost: 3 })
  write(@Body() body: unknown): unknown {
    return body;
  }

  @Get('fails/:status')
  @RateLimit({ refundWhen: (status) => status >= 500 })
  fails(): never {
    throw new Error('broken');
  }
}

@RateLimit('search', { cost: 2 })
@RateLimitKey(callerOf)
@Controller('search')
class Search {
  @Get()
  plain(): string {
    return 'found';
  }

  @Get('deep')
  @RateLimit('deep-search')
  deep(): string {
    return 'found more';
  }

  @Get('as-bob')
  @RateLimitKey(() => 'bob')
  asBob(): string {
    return 'found';
  }

  @Get('free')
  @SkipRateLimit()
  free(): string {
    return 'nothing';
  }
}

@Controller('scripted')
class Scripted {
  @Get()
  get(): string {
    return 'served';
  }
}

const guard = { provide: APP_GUARD, useClass: RateLimitGuard };
/** A decider that answers as told; what is not asked is not there. */
const asDecider = (scripted: ReturnType<typeof scriptedDecider>): Decider => Object.assign(Object.create(null), scripted);

describe.each(PLATFORMS)('R75 Nest skin on %s', (platform) => {
  let app: INestApplication | undefined;
  let url = '';
  const closing: Limiter[] = [];

  async function start(parts: Omit<DynamicModule, 'module'>, setUp?: (app: INestApplication) => void): Promise<void> {
    ({ app, url } = await startNest(platform, parts, setUp));
  }
  function engine(...rules: readonly object[]): Limiter {
    const limiter = limiterOf(...rules);
    closing.push(limiter);
    return limiter;
  }
  const ask = (path: string, init: RequestInit = {}): Promise<Response> => fetch(`${url}${path}`, init);
  const asUser = (user: string): RequestInit => ({ headers: { 'x-user': user } });

  afterEach(async () => {
    await app?.close();
    app = undefined;
    for (const limiter of closing.splice(0)) await limiter.close();
  });

  it('R70 sets the fields on success and refusal, and refuses with 429 and problem+json; who waits is served', async () => {
    const limiter = engine({ endpoint: 'GET /items/{id}', count_by: ['ip'], limit: 2, window_seconds: 1, algorithm: 'fixed_window' });
    await start({ imports: [RateLimitModule.forRoot({ limiter })], controllers: [Items], providers: [guard] });
    const answers = [await ask('/items/1'), await ask('/items/2'), await ask('/items/3')];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(answers.map(({ headers }) => headers.get('x-ratelimit-limit'))).toEqual(['2', '2', '2']);
    expect(answers.map(({ headers }) => headers.get('x-ratelimit-remaining'))).toEqual(['1', '0', '0']);
    const refused = answers[2]!;
    expect(refused.headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect(refused.headers.get('cache-control')).toBe('no-store');
    expect(refused.headers.get('ratelimit')).toMatch(/^"default";r=0;t=\d+$/);
    expect(await refused.json()).toMatchObject({ status: 429, title: 'Too Many Requests', 'violated-policies': ['default'], reason: 'quota' });
    await new Promise((resolve) => setTimeout(resolve, Number(refused.headers.get('retry-after')) * 1000));
    expect((await ask('/items/1')).status).toBe(200);
  });

  it('names the endpoint by its template, with the global prefix and the version, HEAD as GET; preflights are not counted', async () => {
    const scripted = scriptedDecider(allowed);
    await start({ imports: [RateLimitModule.forRoot({ limiter: asDecider(scripted) })], controllers: [Items], providers: [guard] }, (made) => {
      made.setGlobalPrefix('api');
      made.enableVersioning({ type: VersioningType.URI, defaultVersion: '1' });
    });
    expect(await (await ask('/api/v1/items/7?x=1')).text()).toBe('item 7');
    await ask('/api/v1/items/7', { method: 'HEAD' });
    await ask('/api/v1/items/7', { method: 'OPTIONS', headers: { origin: 'https://shop.example', 'access-control-request-method': 'PUT' } });
    expect(scripted.calls.map(({ attributes }) => attributes)).toEqual([
      { endpoint: 'GET /api/v1/items/{id}', ip: '127.0.0.1' },
      { endpoint: 'GET /api/v1/items/{id}', ip: '127.0.0.1' },
    ]);
  });

  it('@RateLimit and @RateLimitKey: a method counts more than its controller, which counts more than the module', async () => {
    const scripted = scriptedDecider(allowed);
    await start({ imports: [RateLimitModule.forRoot({ limiter: asDecider(scripted), key: () => 'module', cost: 9 })], controllers: [Items, Search], providers: [guard] });
    for (const path of ['/items/1', '/search', '/search/deep', '/search/as-bob', '/search/free']) expect((await ask(path, asUser('ann'))).status).toBe(200);
    expect(scripted.calls.map(({ attributes: { rule, key_id: key }, cost }) => [rule, key, cost])).toEqual([
      [undefined, 'module', 9],
      ['search', 'ann', 2],
      ['deep-search', 'ann', 2],
      ['search', 'bob', 2],
    ]);
  });

  it('R1 rules match the name of a limit, and each caller has a counter', async () => {
    const limiter = engine({ descriptors: { rule: 'search' }, limit: 4, window_seconds: 60 });
    await start({ imports: [RateLimitModule.forRoot({ limiter })], controllers: [Search], providers: [guard] });
    const statuses = [];
    for (const user of ['ann', 'ann', 'ann', 'bob']) statuses.push((await ask('/search', asUser(user))).status);
    expect(statuses).toEqual([200, 200, 429, 200]);
  });

  it('is counted once if the guard is bound twice, and if the skin of the platform is bound too', async () => {
    @Controller('twice')
    @UseGuards(RateLimitGuard)
    class Twice {
      @Get()
      @UseGuards(RateLimitGuard)
      get(): string {
        return 'once';
      }
    }
    const scripted = scriptedDecider(allowed);
    const limiter = asDecider(scripted);
    await start({ imports: [RateLimitModule.forRoot({ limiter })], controllers: [Twice], providers: [guard] }, (made) => {
      if (platform === 'Express') made.use(expressRateLimit({ limiter }));
      const adapter = made.getHttpAdapter();
      if (adapter instanceof FastifyAdapter) adapter.getInstance().addHook('onRequest', fastifyRateLimit({ limiter, attributes: () => ({}) }));
    });
    const answer = await ask('/twice');
    expect(await answer.text()).toBe('once');
    expect(answer.headers.get('x-ratelimit-limit')).toBe('5');
    expect(scripted.calls).toHaveLength(1);
  });

  it('R41 refuses with 503 while the store is away, and R45 a bug is a 500 that is not counted', async () => {
    const away: Decision = { ...refusal(1), reason: 'store_unavailable' };
    const scripted = scriptedDecider(away, new RangeError('cost'));
    await start({ imports: [RateLimitModule.forRoot({ limiter: asDecider(scripted) })], controllers: [Scripted], providers: [guard] });
    const refused = await ask('/scripted');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    expect((await ask('/scripted')).status).toBe(500);
  });

  it('takes a decision that is late, and holds a shaped request back', async () => {
    const late = Promise.resolve(refusal(1900));
    const scripted = scriptedDecider({ ...allowed, delayMs: 80 }, late);
    await start({ imports: [RateLimitModule.forRoot({ limiter: asDecider(scripted) })], controllers: [Scripted], providers: [guard] });
    const startedMs = performance.now();
    expect((await ask('/scripted')).status).toBe(200);
    expect(performance.now() - startedMs).toBeGreaterThanOrEqual(79);
    const refused = await ask('/scripted');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '2']);
  });

  it('gives back what a handler that fails was charged, when told so', async () => {
    const limiter = engine({ endpoint: 'GET /items/fails/{status}', count_by: ['ip'], limit: 2, window_seconds: 60 });
    await start({ imports: [RateLimitModule.forRoot({ limiter })], controllers: [Items], providers: [guard] });
    for (let i = 0; i < 5; i += 1) expect((await ask('/items/fails/500')).status).toBe(500);
  });

  it('@InjectLimiter gives the limiter to a provider', async () => {
    const limiter = engine({ endpoint: 'GET /items/{id}', count_by: ['ip'], limit: 5, window_seconds: 60 });
    await start({ imports: [RateLimitModule.forRoot({ limiter })], controllers: [Items], providers: [guard] });
    await ask('/items/1');
    expect(await (await ask('/items/left')).text()).toBe('4');
  });

  it('is refused by an own filter, which has the decision', async () => {
    @Catch(RateLimitException)
    class Teapot implements ExceptionFilter<RateLimitException> {
      catch(exception: RateLimitException, host: ArgumentsHost): void {
        const response = host.switchToHttp().getResponse<{ status(code: number): { send(body: string): void } }>();
        response.status(418).send(`${exception.decision.deciding?.policy} ${exception.getStatus()}`);
      }
    }
    const scripted = scriptedDecider(refusal(1));
    await start({ imports: [RateLimitModule.forRoot({ limiter: asDecider(scripted) })], controllers: [Scripted], providers: [guard, { provide: APP_FILTER, useClass: Teapot }] });
    const refused = await ask('/scripted');
    expect([refused.status, await refused.text()]).toEqual([418, 'default 429']);
    expect(refused.headers.get('retry-after')).toBe('1');
  });

  it('forRootAsync makes the options of what is injected; not global, it is imported where it is used', async () => {
    @Injectable()
    class Config {
      readonly cost = 4;
    }
    @Module({ providers: [Config], exports: [Config] })
    class ConfigModule {}
    const scripted = scriptedDecider(allowed);
    const useFactory = async ({ cost }: Config) => ({ limiter: asDecider(scripted), cost });
    const rateLimits = RateLimitModule.forRootAsync({ imports: [ConfigModule], inject: [Config], useFactory, isGlobal: false });
    @Module({ controllers: [Scripted] })
    class Feature {}
    await start({ imports: [rateLimits, Feature], providers: [guard] });
    await ask('/scripted');
    expect(scripted.calls[0]?.cost).toBe(4);
  });

  it('leaves a limiter that it was given open, and says what is set up wrong once for all handlers', async () => {
    const warnings: SkinWarning[] = [];
    let closed = 0;
    const limiter: Decider = Object.assign(asDecider(scriptedDecider(allowed)), { close: async () => void (closed += 1) });
    const options = { limiter, onWarning: (warning: SkinWarning) => warnings.push(warning) };
    await start({ imports: [RateLimitModule.forRoot(options)], controllers: [Items, Search, Scripted], providers: [guard] });
    const forwarded = { headers: { 'x-forwarded-for': '203.0.113.1' } };
    for (const path of ['/items/1', '/search', '/search/deep', '/scripted']) await ask(path, forwarded);
    expect(warnings.map(({ code }) => code)).toEqual(['SLUICE_UNTRUSTED_FORWARDED_FOR']);
    await app?.close();
    app = undefined;
    expect(closed).toBe(0);
  });
});

describe('R75 decorators of the Nest skin', () => {
  it('a second name on one handler is an error, not a limit that is lost', () => {
    expect(() => {
      class Wrong {
        @RateLimit('b')
        @RateLimit('a')
        get(): void {}
      }
      return Wrong;
    }).toThrow(RangeError);
  });
});
