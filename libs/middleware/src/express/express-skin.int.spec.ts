import express, { type Express, type NextFunction, type Request, type Response, Router } from 'express';
import { listenExpress, quietExpress } from '../../test/harness/express.js';
import { limiterWith, type SkinServer } from '../../test/skin-harness.js';
import { decisionOver, policyOutcome, refusal } from '../../test/decision-fixture.js';
import { allowed, scriptedDecider } from '../../test/scripted-decider.js';
import { decisionOf } from '../decision-of.js';
import type { SkinWarning } from '../skin/warnings.js';
import { rateLimit } from './index.js';

describe('R75 Express skin on routers and routes', () => {
  let server: SkinServer | undefined;
  afterEach(async () => {
    await server?.close();
    server = undefined;
  });
  async function get(app: Express, path: string, init?: RequestInit): Promise<globalThis.Response> {
    server ??= await listenExpress(app);
    return fetch(server.url + path, init);
  }
  const ok = (_request: Request, response: Response) => void response.json('ok');

  it('names the template of a route as rules do, whatever the mount', async () => {
    const limiter = scriptedDecider(allowed);
    const limit = rateLimit({ limiter });
    const app = quietExpress();
    const shop = Router();
    app.get('/items/:id/parts/:part', limit, ok);
    app.get('/', limit, ok);
    app.get(/^\/files\/(.+)$/, limit, ok);
    app.get(['/a', '/b'], limit, ok);
    app.get('/down/*rest', limit, ok);
    app.get('/:from-:to', limit, ok);
    shop.get('/orders/:id', limit, ok);
    shop.get('/', limit, ok);
    app.use('/shops/:shop', shop);
    for (const path of ['/items/7/parts/8', '/?x=1', '/files/x%2fy', '/b', '/down/a/b', '/1-2', '/shops/%37/orders/9', '/shops/7/']) expect((await get(app, path)).status).toBe(200);
    expect(limiter.calls.map(({ attributes }) => attributes.endpoint)).toEqual([
      'GET /items/{id}/parts/{part}',
      'GET /',
      'GET /files/x%2Fy',
      'GET /b',
      'GET /down/a/b',
      'GET /1-2',
      'GET /shops/7/orders/{id}',
      'GET /shops/7',
    ]);
  });

  it('known failure 60: two routes under one rule share its counter', async () => {
    const limiter = limiterWith({ limit: 3, descriptors: { rule: 'search' } });
    const app = quietExpress();
    for (const path of ['/books', '/films']) app.get(path, rateLimit({ limiter, rule: 'search' }), ok);
    const statuses = [];
    for (let i = 0; i < 6; i += 1) statuses.push((await get(app, i % 2 === 0 ? '/books' : '/films')).status);
    expect(statuses).toEqual([200, 200, 200, 429, 429, 429]);
  });

  it('counts a request by each rule that is named, once each; the tightest is stated', async () => {
    const limiter = limiterWith({ rule_id: 'all', limit: 10 }, { rule_id: 'search', limit: 2, descriptors: { rule: 'search' } });
    const warnings: SkinWarning[] = [];
    const app = quietExpress();
    app.use(rateLimit({ limiter, onWarning: (warning) => warnings.push(warning) }));
    const search = rateLimit({ limiter, rule: 'search', onWarning: (warning) => warnings.push(warning) });
    app.get('/search', search, search, (request, response) => void response.json(decisionOf(request)?.policies.map(({ ruleId, remaining }) => [ruleId, remaining])));
    const first = await get(app, '/search');
    // Both are of the policy `default`, where the more specific rule takes the place of the other: each is charged once.
    expect(await first.json()).toEqual([['all', 9], ['search', 1]]);
    expect(first.headers.get('x-ratelimit-limit')).toBe('2');
    expect(first.headers.get('x-ratelimit-remaining')).toBe('1');
    await get(app, '/search');
    const third = await get(app, '/search');
    expect(third.status).toBe(429);
    expect(third.headers.get('x-ratelimit-remaining')).toBe('0');
    expect(warnings).toEqual([]);
    expect((await limiter.peek({ ip: '127.0.0.1' })).deciding?.remaining).toBe(7);
  });

  it('states the first limit where it is tighter than the second', async () => {
    const app = quietExpress();
    app.use(rateLimit({ limiter: scriptedDecider(decisionOver([policyOutcome({ policy: 'edge', remaining: 1 })])) }));
    app.use(rateLimit({ limiter: scriptedDecider(decisionOver([policyOutcome({ policy: 'late', remaining: 3 })])) }));
    app.get('/', ok);
    const { headers } = await get(app, '/');
    expect(headers.get('x-ratelimit-remaining')).toBe('1');
    expect(headers.get('ratelimit')).toMatch(/^"edge";r=1.*, "late";r=3/);
  });

  it('warns where one rule is charged by two limits', async () => {
    const limiter = limiterWith({ rule_id: 'burst', policy: 'burst', limit: 10 });
    const warnings: SkinWarning[] = [];
    const onWarning = (warning: SkinWarning) => warnings.push(warning);
    const app = quietExpress();
    app.use(rateLimit({ limiter, onWarning }), rateLimit({ limiter, rule: 'search', onWarning }));
    app.get('/', ok);
    await get(app, '/');
    await get(app, '/');
    expect(warnings.map(({ code, message }) => [code, message.endsWith('(rule burst)')])).toEqual([['SLUICE_RULE_CHARGED_TWICE', true]]);
  });

  it('hands a refusal to an own handler, with the fields set', async () => {
    const app = quietExpress();
    const handler = (request: Request, response: Response, next: NextFunction) => (request.query['soft'] === '1' ? next() : void response.status(420).json('calm'));
    app.get('/', rateLimit({ limiter: scriptedDecider(refusal(1_000)), handler }), ok);
    const refused = await get(app, '/');
    expect([refused.status, await refused.json(), refused.headers.get('retry-after')]).toEqual([420, 'calm', '1']);
    expect((await get(app, '/?soft=1')).status).toBe(200);
    const failing = quietExpress();
    failing.get('/', rateLimit({ limiter: scriptedDecider(refusal(1)), handler: () => { throw new Error('handler'); } }), ok);
    await server?.close();
    server = undefined;
    expect((await get(failing, '/')).status).toBe(500);
  });

  it('R45 gives bugs to the error handler of the app', async () => {
    const app = quietExpress();
    app.use(rateLimit({ limiter: scriptedDecider(new RangeError('cost')) }));
    app.use((error: Error, _request: Request, response: Response, _next: NextFunction) => void response.status(500).json(`${error.name}: ${error.message}`));
    expect(await (await get(app, '/')).json()).toBe('RangeError: cost');
  });

  it('leaves an answer alone that somebody gave while the decision was under way', async () => {
    let calls = 0;
    const app = quietExpress();
    app.use((_request, response, next) => {
      setTimeout(() => response.status(504).end(), 20);
      next();
    });
    app.use(rateLimit({ limiter: scriptedDecider(new Promise((resolve) => setTimeout(() => resolve(allowed), 500))) }));
    app.get('/', () => void (calls += 1));
    expect((await get(app, '/')).status).toBe(504);
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(calls).toBe(0);
  });

  it.each([[true, 1], [() => true, 1], ['128.0.0.0/1', 1], [1, 0], ['loopback', 0], [false, 0]])('known failure 71: trust proxy %s warns %d times', async (trust, times) => {
    const warnings: SkinWarning[] = [];
    const app = quietExpress().set('trust proxy', trust);
    app.use(rateLimit({ limiter: scriptedDecider(allowed), onWarning: (warning) => warnings.push(warning) }));
    app.get('/', ok);
    await get(app, '/');
    await get(app, '/');
    expect(warnings.map(({ code }) => code)).toEqual(Array.from({ length: times }, () => 'SLUICE_TRUST_PROXY_TRUE'));
  });

  it('warns of limits that are built by each request, not of many that are built at the start', async () => {
    const warnings: SkinWarning[] = [];
    const onWarning = (warning: SkinWarning) => warnings.push(warning);
    const limiter = scriptedDecider(allowed);
    const good = quietExpress();
    for (let i = 0; i < 50; i += 1) good.get(`/${i}`, rateLimit({ limiter, onWarning }), ok);
    for (let i = 0; i < 50; i += 1) await get(good, `/${i}`);
    expect(warnings).toEqual([]);
    await server?.close();
    server = undefined;
    const bad = express();
    bad.use((request, response, next) => rateLimit({ limiter, onWarning })(request, response, next));
    bad.get('/', ok);
    for (let i = 0; i < 10; i += 1) await get(bad, '/');
    expect(warnings.map(({ code }) => code)).toEqual(['SLUICE_SKIN_PER_REQUEST']);
  });
});
