import type { Decision } from '@sluice/limiter';
import type { RequestAttributes } from '@sluice/rules';
import Fastify from 'fastify';
import { decisionOver, policyOutcome, refusal } from '../../test/decision-fixture.js';
import { fastifyRateLimit } from './fastify-rate-limit.js';
import type { FastifyRateLimitOptions } from './fastify-rate-limit.js';

const allowed = decisionOver([policyOutcome()]);

/** A limiter that answers the next of the given decisions, and the calls that it saw. */
function scripted(...answers: (Decision | Promise<Decision> | Error)[]) {
  const calls: { attributes: RequestAttributes; cost: number | undefined }[] = [];
  return {
    calls,
    check(attributes: RequestAttributes, cost?: number): Decision | Promise<Decision> {
      calls.push({ attributes, cost });
      const answer = answers.length > 1 ? answers.shift() : answers[0];
      if (answer instanceof Error) throw answer;
      return answer ?? allowed;
    },
  };
}

function serve(limiter: FastifyRateLimitOptions['limiter'], over: Partial<FastifyRateLimitOptions> = {}, bindings = 1) {
  const app = Fastify();
  for (let i = 0; i < bindings; i++) {
    app.addHook('onRequest', fastifyRateLimit({ limiter, attributes: (request) => ({ ip: request.ip, endpoint: `${request.method} ${request.url}` }), ...over }));
  }
  app.all('/x', async () => 'served');
  return app;
}

describe('R70 Fastify skin', () => {
  it('sets the fields on an allowed answer, in the same tick', async () => {
    const limiter = scripted(allowed);
    const answer = await serve(limiter).inject('/x');
    expect(answer.statusCode).toBe(200);
    expect(answer.body).toBe('served');
    expect(answer.headers).toMatchObject({ 'x-ratelimit-limit': '5', 'x-ratelimit-remaining': '4', ratelimit: '"default";r=4;t=1' });
    expect(limiter.calls).toEqual([{ attributes: { ip: '127.0.0.1', endpoint: 'GET /x' }, cost: 1 }]);
  });

  it('answers a refusal, sync or late, with 429, the fields and problem+json', async () => {
    for (const answer of [refusal(1900), Promise.resolve(refusal(1900))]) {
      const response = await serve(scripted(answer)).inject('/x');
      expect(response.statusCode).toBe(429);
      expect(response.headers).toMatchObject({
        'content-type': expect.stringMatching(/^application\/problem\+json/),
        'retry-after': '2',
        'cache-control': 'no-store',
        'x-ratelimit-remaining': '0',
      });
      expect(response.json()).toMatchObject({ status: 429, 'violated-policies': ['default'], retry_after_seconds: 2 });
    }
  });

  it('R41 answers 503 when the store is away and the rule refuses', async () => {
    const away = decisionOver([policyOutcome({ allowed: false, reason: 'store_unavailable' })]);
    expect((await serve(scripted(away)).inject('/x')).statusCode).toBe(503);
  });

  it('R75 counts a request once even if bound twice', async () => {
    const limiter = scripted(allowed);
    await serve(limiter, {}, 2).inject('/x');
    expect(limiter.calls).toHaveLength(1);
  });

  it('known failure 73: does not count preflights', async () => {
    const limiter = scripted(refusal(1));
    expect((await serve(limiter).inject({ method: 'OPTIONS', url: '/x', headers: { origin: 'https://shop.example', 'access-control-request-method': 'PUT' } })).statusCode).toBe(200);
    expect(limiter.calls).toHaveLength(0);
  });

  it('R2 holds a shaped request back for its delay', async () => {
    const started = performance.now();
    expect((await serve(scripted({ ...allowed, delayMs: 80 })).inject('/x')).statusCode).toBe(200);
    expect(performance.now() - started).toBeGreaterThanOrEqual(79);
  });

  it('R45 a bug of the caller is 500, neither a denial nor a pass', async () => {
    expect((await serve(scripted(new RangeError('cost'))).inject('/x')).statusCode).toBe(500);
    expect((await serve(scripted(Promise.reject(new RangeError('cost')))).inject('/x')).statusCode).toBe(500);
  });

  it('passes the cost on and lets a metric see each decision', async () => {
    const seen: Decision[] = [];
    const limiter = scripted(allowed);
    await serve(limiter, { cost: () => 3, observe: (decision) => seen.push(decision) }).inject('/x');
    expect(limiter.calls[0]?.cost).toBe(3);
    expect(seen).toEqual([allowed]);
  });
});
