import { fastify, type FastifyInstance } from 'fastify';
import { problem, type ProblemAnswer } from '../problem/problem.js';
import { guardRoutes } from './guard-routes.js';

const DENIED: ProblemAnswer = { problem: problem(401), headers: { 'www-authenticate': 'Bearer realm="test"' } };

let app: FastifyInstance;
afterEach(() => app.close());

const handler = async (): Promise<string> => 'secret';

describe('R62 the door of every route', () => {
  it('a route of the API without roles cannot be registered, whoever adds it', () => {
    app = fastify();
    guardRoutes(app, () => undefined);
    expect(() => app.get('/v1/anything', handler)).toThrow('GET /v1/anything names no role');
    expect(() => app.get('/v1/anything', { config: { access: [] } }, handler)).toThrow('names no role');
    expect(() => app.get('/v2/anything', handler)).toThrow('names no role');
    expect(() => app.get('/healthz', handler)).not.toThrow();
  });

  it.each([
    ['at once', DENIED],
    ['later', Promise.resolve(DENIED)],
  ])('who is denied %s meets no hook, no parser and no handler', async (_when, answer) => {
    app = fastify();
    const met: string[] = [];
    const routes = guardRoutes(app, () => answer);
    app.addHook('onRequest', async () => void met.push('hook'));
    app.addHook('preParsing', async () => void met.push('parser'));
    app.post('/v1/things', { config: { access: ['viewer'] } }, async () => met.push('handler'));
    const response = await app.inject({ method: 'POST', url: '/v1/things', payload: '{', headers: { 'content-type': 'application/json' } });
    expect([response.statusCode, response.headers['content-type'], response.headers['www-authenticate'], met]).toEqual([401, expect.stringContaining('application/problem+json'), 'Bearer realm="test"', []]);
    expect(routes).toEqual([{ method: 'POST', url: '/v1/things', roles: ['viewer'] }]);
  });

  it('who is let in goes on; a fault of the door is no way in', async () => {
    app = fastify();
    guardRoutes(app, (request) => (request.headers['x-fault'] === undefined ? Promise.resolve(undefined) : Promise.reject(new Error('no door'))));
    app.get('/v1/things', { config: { access: ['viewer'] } }, handler);
    expect((await app.inject('/v1/things')).body).toBe('secret');
    const faulty = await app.inject({ url: '/v1/things', headers: { 'x-fault': '1' } });
    expect([faulty.statusCode, faulty.body.includes('secret')]).toEqual([500, false]);
  });
});
