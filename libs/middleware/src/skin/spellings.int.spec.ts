import { once } from 'node:events';
import { connect } from 'node:net';
import { Controller, Get } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import type { Rule } from '@sluice/rules';
import express, { type Request, type Response, Router } from 'express';
import Fastify from 'fastify';
import { listenExpress, quietExpress } from '../../test/harness/express.js';
import { PLATFORMS, startNest } from '../../test/nest-app.js';
import { limiterWith, type SkinServer, type TableOptions } from '../../test/skin-harness.js';
import { rateLimit } from '../express/index.js';
import { rateLimit as fastifyRateLimit } from '../fastify/index.js';
import { RateLimitGuard, RateLimitModule } from '../nest/index.js';

interface Case {
  readonly name: string;
  readonly endpoint: string;
  /** Reach the handler when nothing limits, each. */
  readonly spellings: readonly string[];
  start(options: TableOptions): Promise<SkinServer>;
}

const DOTS = ['/costly/a', '/costly/../cheap', '/costly/%2e%2e/cheap', '/costly/x/../../cheap', '/costly/.', 'http://h/costly/../x', '/costly/a#x', '/costly/%2E/../a?x=/../..'];
const CASES = ['/Costly/a', '/COSTLY/../a', '/cOstly/%2e%2E/A'];
const ok = (_request: Request, response: Response) => void response.send('served');

function expressCase(name: string, endpoint: string, spellings: readonly string[], setUp: (app: express.Express, options: TableOptions) => void): Case {
  return {
    name: `Express ${name}`,
    endpoint,
    spellings,
    async start(options) {
      const app = quietExpress();
      setUp(app, options);
      return listenExpress(app);
    },
  };
}

function fastifyCase(name: string, endpoint: string, spellings: readonly string[], route: string, routerOptions: object = {}): Case {
  return {
    name: `Fastify ${name}`,
    endpoint,
    spellings,
    async start(options) {
      const app = Fastify({ forceCloseConnections: true, routerOptions });
      await app.register(fastifyRateLimit, options);
      app.get(route, async () => 'served');
      return { url: await app.listen({ host: '127.0.0.1', port: 0 }), close: () => app.close() };
    },
  };
}

function nestCases(): Case[] {
  return PLATFORMS.map((platform) => ({
    name: `Nest on ${platform}, a wildcard`,
    endpoint: 'GET /costly/*',
    spellings: platform === 'Express' ? [...DOTS, ...CASES] : DOTS,
    async start({ limiter, onWarning }) {
      @Controller()
      class Costly {
        @Get(platform === 'Express' ? 'costly/*rest' : 'costly/*')
        files(): string {
          return 'served';
        }
      }
      const { app, url } = await startNest(platform, {
        imports: [RateLimitModule.forRoot({ onWarning, limiter: Object.assign(Object.create(limiter), { check: limiter.check.bind(limiter) }) })],
        controllers: [Costly],
        providers: [{ provide: APP_GUARD, useClass: RateLimitGuard }],
      });
      return { url, close: () => app.close() };
    },
  }));
}

const routed = (router: Router) => router.get('/:id/posts', ok);
const cases: Case[] = [
  expressCase('app-wide, a mount', 'GET /costly/*', [...DOTS, ...CASES, '/costly', '/costly/', '/costly//a'], (app, options) => app.use(rateLimit(options)).use('/costly', ok)),
  expressCase('app-wide, a route', 'GET /search', ['/search', '/search/', '/Search', '/SEARCH/?q', '/search#x', 'http://h/search'], (app, options) => app.use(rateLimit(options)).get('/search', ok)),
  expressCase('app-wide, a parameter', 'GET /u/{id}/posts', ['/u/1/posts', '/u/../posts', '/u/%2e%2e/posts', '/u/./posts', '/u/a%2fb/Posts/', '/U/%2E/POSTS'], (app, options) =>
    app.use(rateLimit(options)).use('/u', routed(Router())),
  ),
  expressCase('on a wildcard route', 'GET /costly/*', [...DOTS, ...CASES], (app, options) => app.get('/costly/*rest', rateLimit(options), ok)),
  expressCase('on an optional wildcard', 'GET /costly/*', [...DOTS, ...CASES, '/costly'], (app, options) => app.get('/costly{/*rest}', rateLimit(options), ok)),
  expressCase('on a pattern', 'GET /costly/*', [...DOTS, ...CASES], (app, options) => app.get(/^\/costly\/.*$/i, rateLimit(options), ok)),
  expressCase('on a wildcard of a mounted router', 'GET /shop/costly/*', DOTS.map((path) => path.replace('/costly', '/Shop/costly')), (app, options) =>
    app.use('/shop', Router().get('/costly/*rest', rateLimit(options), ok)),
  ),
  expressCase('in a router, after a route that passes on', 'GET /shop/costly/*', ['/shop/costly/a', '/shop/costly/../x', '/SHOP/costly'], (app, options) =>
    app.all('/shop/*rest', (_request, _response, next) => next()).use('/shop', Router().use(rateLimit(options)).use('/costly', ok)),
  ),
  expressCase('in a router, after a route with a parameter that passes on', 'GET /shop/costly', ['/shop/costly', '/shop/costly/'], (app, options) =>
    app.all('/shop/:what', (_request, _response, next) => next()).use('/shop', Router().use(rateLimit(options)).use('/costly', ok)),
  ),
  expressCase('after a rewrite of the target', 'GET /costly/*', ['/old/a', '/old/../b', '/cheap'], (app, options) =>
    app.use((request, _response, next) => ((request.url = '/costly/x'), next())).use(rateLimit(options)).use('/costly', ok),
  ),
  fastifyCase('a wildcard', 'GET /costly/*', DOTS, '/costly/*'),
  fastifyCase('a wildcard whatever the case', 'GET /costly/*', [...DOTS, ...CASES], '/costly/*', { caseSensitive: false }),
  fastifyCase('a wildcard, slashes that do not count', 'GET /costly/*', [...DOTS, '//costly//a', '/costly//..//a/'], '/costly/*', { ignoreDuplicateSlashes: true, ignoreTrailingSlash: true }),
  fastifyCase('a wildcard after an empty parameter', 'GET /u/{id}/y/*', ['/u/1/y/z', '/u/../y/z', '/u//y/z'], '/u/:id/y/*'),
  fastifyCase('everything', 'GET *', ['/', '/a/../b', '/%2e'], '*'),
  fastifyCase('a parameter', 'GET /u/{id}/posts', ['/u/1/posts', '/u/../posts', '/u/%2e%2e/posts', '/%75/a%2fb/posts'], '/u/:id/posts'),
  fastifyCase('a pattern whatever the case', 'GET /costly/*', ['/costly/a-1', '/COSTLY/A-2'], '/costly/:name-:at', { caseSensitive: false }),
  ...nestCases(),
];

describe('R75 R77 whatever reaches a handler comes under its rule', () => {
  let server: SkinServer | undefined;
  afterEach(async () => {
    await server?.close();
    server = undefined;
  });

  it.each(cases)('$name', async ({ start, endpoint, spellings }) => {
    const onWarning = (): void => undefined;
    const open: Partial<Rule> = { limit: 1_000 };
    const close: Partial<Rule> = { limit: 1, endpoint };
    server = await start({ limiter: limiterWith(open), onWarning });
    for (const path of spellings) expect([path, await statusOf(server.url, path)]).toEqual([path, 200]);
    await server.close();
    server = await start({ limiter: limiterWith(open, close), onWarning });
    expect(await statusOf(server.url, spellings[0] ?? '')).toBe(200);
    for (const path of spellings) expect([path, await statusOf(server.url, path)]).toEqual([path, 429]);
  });

  it('rules for what is below a wildcard apply as well', async () => {
    const limiter = limiterWith({ limit: 1_000 }, { limit: 1, endpoint: 'GET /costly/big/*' });
    server = await listenExpress(quietExpress().get('/costly/*rest', rateLimit({ limiter, onWarning: () => undefined }), ok));
    for (const [path, status] of [['/costly/big/a', 200], ['/COSTLY/big/b', 429], ['/costly/small', 200]] as const) expect(await statusOf(server.url, path)).toBe(status);
  });

  it('says that capital letters of rules do not count, where nobody has said how routes are told apart', async () => {
    for (const [caseSensitiveRoutes, codes, endpoint] of [[undefined, ['SLUICE_PATH_IN_LOWER_CASE'], 'GET /getitem'], [false, [], 'GET /getitem'], [true, [], 'GET /getItem']] as const) {
      const told: string[] = [];
      const seen: unknown[] = [];
      const limiter = limiterWith();
      const check: typeof limiter.check = (attributes, cost) => (seen.push(attributes['endpoint']), limiter.check(attributes, cost));
      server = await listenExpress(quietExpress().use(rateLimit({ limiter: { check }, caseSensitiveRoutes, onWarning: ({ code }) => told.push(code) })).get('/getItem', ok));
      await statusOf(server.url, '/getItem');
      await server.close();
      expect([seen, told]).toEqual([[endpoint], codes]);
    }
    const seen: unknown[] = [];
    const limiter = limiterWith();
    const check: typeof limiter.check = (attributes, cost) => (seen.push(attributes['endpoint']), limiter.check(attributes, cost));
    server = await listenExpress(quietExpress().enable('case sensitive routing').use(rateLimit({ limiter: { check } })).get('/getItem', ok));
    expect(await statusOf(server.url, '/GETITEM')).toBe(404);
    expect(seen).toEqual(['GET /GETITEM']);
  });
});

/** Sends a target as it is written; `fetch` resolves dots. */
async function statusOf(url: string, target: string): Promise<number> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(`GET ${target} HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n`);
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk));
  await once(socket, 'close');
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1]);
}
