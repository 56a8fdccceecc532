import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify';
import { refusal } from '../../test/decision-fixture.js';
import { allowed, scriptedDecider } from '../../test/scripted-decider.js';
import { limiterWith } from '../../test/skin-harness.js';
import type { SkinWarning } from '../skin/warnings.js';
import { rateLimit, type RateLimitPluginOptions } from './index.js';

async function appWith(options: RateLimitPluginOptions, add: (app: FastifyInstance) => void, server: FastifyServerOptions = {}): Promise<FastifyInstance> {
  const app = Fastify(server);
  await app.register(rateLimit, options);
  add(app);
  return app;
}

describe('R75 Fastify plugin', () => {
  it('takes the options of a route over its own, and leaves out who says false', async () => {
    const limiter = scriptedDecider(allowed);
    const app = await appWith({ limiter, rule: 'api', key: () => 'k1' }, (it) => {
      it.get('/plain', async () => 'x');
      it.get('/search/:what', { config: { rateLimit: { rule: 'search', cost: 5 } } }, async () => 'x');
      it.get('/free', { config: { rateLimit: false } }, async () => 'x');
    });
    for (const url of ['/plain', '/search/a', '/free']) expect((await app.inject(url)).statusCode).toBe(200);
    expect(limiter.calls).toMatchObject([
      { attributes: { rule: 'api', key_id: 'k1', endpoint: 'GET /plain' }, cost: 1 },
      { attributes: { rule: 'search', key_id: 'k1', endpoint: 'GET /search/{what}' }, cost: 5 },
    ]);
  });

  it('limits also routes that were added before it, in the scope that it is registered in', async () => {
    const limiter = scriptedDecider(allowed);
    const app = Fastify();
    app.get('/before', async () => 'x');
    app.get('/own', { config: { rateLimit: { rule: 'own' } } }, async () => 'x');
    await app.register(rateLimit, { limiter });
    await app.register(async (inner) => void inner.get('/within/:id', async () => 'x'), { prefix: '/v1' });
    for (const url of ['/before', '/own', '/v1/within/7']) await app.inject(url);
    expect(limiter.calls.map(({ attributes }) => [attributes.endpoint, attributes['rule']])).toEqual([['GET /before', undefined], ['GET /own', 'own'], ['GET /v1/within/{id}', undefined]]);
    const scoped = Fastify();
    await scoped.register(async (inner) => {
      await inner.register(rateLimit, { limiter: scriptedDecider(refusal(1)) });
      inner.get('/in', async () => 'x');
    });
    scoped.get('/out', async () => 'x');
    expect([(await scoped.inject('/in')).statusCode, (await scoped.inject('/out')).statusCode]).toEqual([429, 200]);
  });

  it('with global: false limits the routes that ask for it, and what is bound by hand', async () => {
    const limiter = scriptedDecider(refusal(1));
    const app = await appWith({ limiter, global: false }, (it) => {
      it.get('/plain', async () => 'x');
      it.get('/limited', { config: { rateLimit: {} } }, async () => 'x');
      it.setNotFoundHandler({ preHandler: it.rateLimit({ rule: 'not-found' }) }, async (_request, reply) => reply.code(404).send('nothing'));
    });
    expect((await app.inject('/plain')).statusCode).toBe(200);
    expect((await app.inject('/limited')).statusCode).toBe(429);
    expect((await app.inject('/nowhere')).statusCode).toBe(429);
    expect(limiter.calls.map(({ attributes }) => attributes['rule'])).toEqual([undefined, 'not-found']);
  });

  it('known failure 74: limits what no route answers, also by an own handler', async () => {
    const app = await appWith({ limiter: limiterWith({ limit: 1 }) }, (it) => it.setNotFoundHandler(async (_request, reply) => reply.code(404).send('nothing')));
    expect((await app.inject('/a')).statusCode).toBe(404);
    expect((await app.inject('/b')).statusCode).toBe(429);
  });

  it('runs as preHandler where the key is found out by other plugins', async () => {
    const limiter = scriptedDecider(allowed);
    const app = Fastify();
    app.decorateRequest('user', '');
    app.addHook('preValidation', async (request) => {
      request.setDecorator('user', 'u1');
    });
    await app.register(rateLimit, { limiter, hook: 'preHandler', key: (request) => request.getDecorator<string>('user') });
    app.post('/', async () => 'x');
    await app.inject({ method: 'POST', url: '/', payload: { a: 1 } });
    expect(limiter.calls[0]?.attributes.key_id).toBe('u1');
  });

  it('before a body is read, by default', async () => {
    const app = await appWith({ limiter: scriptedDecider(refusal(1)) }, (it) => it.post('/', async () => 'x'));
    const answer = await app.inject({ method: 'POST', url: '/', payload: '{"broken', headers: { 'content-type': 'application/json' } });
    expect(answer.statusCode).toBe(429);
  });

  it('hands a refusal to an own handler, with the fields set', async () => {
    const app = await appWith({ limiter: scriptedDecider(refusal(1_000)), handler: (_request, reply) => void reply.code(420).send('calm') }, (it) => it.get('/', async () => 'x'));
    const answer = await app.inject('/');
    expect([answer.statusCode, answer.body, answer.headers['retry-after']]).toEqual([420, 'calm', '1']);
  });

  it('says what is wrong with the options of a route when it is added, and with the plugin’s when it is registered', async () => {
    const limiter = scriptedDecider(allowed);
    await expect(appWith({ limiter }, (it) => it.get('/', { config: { rateLimit: { rule: 'no rule' } } }, async () => 'x'))).rejects.toThrow(RangeError);
    await expect(appWith(Object.assign({ limiter }, JSON.parse('{"hook":"onSend"}')), () => undefined)).rejects.toThrow(RangeError);
  });

  it.each<[NonNullable<FastifyServerOptions['trustProxy']>, number]>([[true, 1], [() => true, 1], ['128.0.0.0/1', 1], [(_address, hop) => hop < 1, 0], ['loopback', 0], [false, 0]])('known failure 71: trustProxy %s warns %d times', async (trustProxy, times) => {
    const warnings: SkinWarning[] = [];
    const app = await appWith({ limiter: scriptedDecider(allowed), onWarning: (warning) => warnings.push(warning) }, (it) => it.get('/', async () => 'x'), { trustProxy });
    await app.inject('/');
    await app.inject('/');
    expect(warnings.map(({ code }) => code)).toEqual(Array.from({ length: times }, () => 'SLUICE_TRUST_PROXY_TRUE'));
  });
});
