import { jest } from '@jest/globals';
import fastify from 'fastify';
import { rateLimit as express } from '../express/index.js';
import { fastifyRateLimit, rateLimit as plugin } from '../fastify/index.js';
import { openLimiter } from '../open/open-limiter.js';
import { limitMessages } from '../websocket/limit-messages.js';
import { limitUpgrade } from '../websocket/limit-upgrade.js';
import { closestOption } from './closest-option.js';

/** Calls of JavaScript, which no compiler looks at. */
type Loose = (options: unknown) => unknown;
const [rateLimit, upgrade, hook, open] = [express, limitUpgrade, fastifyRateLimit, openLimiter] as Loose[] as [Loose, Loose, Loose, Loose];
const messages = (options: unknown): void => limitMessages({ on: () => undefined } as never, options as never);
const limiter = { check: jest.fn() };
const rules = { adminUrl: 'http://127.0.0.1:3000' };

describe('R75 options that are none are refused when a skin is made', () => {
  it.each<[string, Loose, object, RegExp]>([
    ['Express', rateLimit, { limiter, windowMs: 60_000 }, /^rateLimit has no option windowMs: there are limiter, rule, .*handler; how much and how long is a matter of rules$/],
    ['Express', rateLimit, { limiter, trustProxies: 1 }, /no option trustProxies; did you mean trustedProxies\?$/],
    ['the Fastify hook', hook, { limiter, attributes: () => ({}), rule: 'search' }, /fastifyRateLimit has no option rule/],
    ['handshakes', upgrade, { limiter, refundWhen: () => true }, /limitUpgrade has no option refundWhen/],
    ['messages', messages, { limiter, onDeny: 'drop' }, /limitMessages has no option onDeny; did you mean onDenied\?/],
  ])('%s', (_what, make, options, message) => {
    expect(() => make(options)).toThrow(TypeError);
    expect(() => make(options)).toThrow(message);
  });

  it.each<[string, unknown, RegExp]>([
    ['nothing', undefined, /takes an object of options, not undefined/],
    ['no limiter', {}, /^limiter is required, as openLimiter gives it .* not undefined$/],
    ['another object', { limiter: {} }, /not an object without check\(\)/],
    ['a limiter that is still being opened', { limiter: new Promise(() => undefined) }, /limiter is a promise: write `const limiter = await openLimiter/],
  ])('a limit needs a limiter: %s', (_what, options, message) => {
    for (const make of [rateLimit, upgrade, hook, messages]) expect(() => make(options)).toThrow(options === undefined ? /takes an object/ : message);
    expect(() => rateLimit(options)).toThrow(message);
  });

  it('the Fastify plugin takes what Fastify hands on, and refuses the rest, of a route too', async () => {
    const register = async (options: object, route: object = {}): Promise<void> => {
      const app = fastify();
      try {
        await app.register(plugin, options as never);
        app.get('/', { config: { rateLimit: route } }, () => '');
        await app.ready();
      } finally {
        await app.close();
      }
    };
    await register({ limiter, global: false, prefix: '/v1', logLevel: 'warn', logSerializers: {} }, { rule: 'search', handler: () => undefined });
    await expect(register({ limiter, max: 100 })).rejects.toThrow('rateLimit has no option max');
    await expect(register({ limiter }, { timeWindow: '1 minute' })).rejects.toThrow('rateLimit of a route has no option timeWindow');
    await expect(register({ limiter }, { global: true })).rejects.toThrow('rateLimit of a route has no option global');
  });
});

describe('openLimiter refuses what opens nothing', () => {
  it.each<[unknown, RegExp]>([
    [undefined, /needs `rules: { adminUrl, token }`/],
    [{}, /needs `rules: { adminUrl, token }`.*or `decision/],
    [{ redisUrl: 'redis://127.0.0.1' }, /needs `rules/],
    [Promise.resolve({ rules }), /was given a promise/],
    [{ rules, decision: 'http://127.0.0.1:8090', onFailure: 'deny' }, /and not both/],
    [{ rules, redisURL: 'redis://127.0.0.1' }, /has no option redisURL; did you mean redisUrl\?/],
    [{ rules, onFailure: 'allow' }, /openLimiter with `rules` has no option onFailure/],
    [{ rules: { ...rules, adminURL: 'x' } }, /rules of openLimiter has no option adminURL; did you mean adminUrl\?/],
    [{ rules: 'http://127.0.0.1:3000' }, /rules of openLimiter takes an object of options, not string/],
    [{ decision: 'http://127.0.0.1:8090', onFailure: 'allow', timeout: 1 }, /has no option timeout; did you mean timeoutMs\?/],
    [{ decision: new URL('http://127.0.0.1:8090'), onFailure: 'allow' }, /decision is the address of the decision service/],
  ])('%j', async (options, message) => {
    const opening = open(options) as Promise<unknown>;
    await expect(opening).rejects.toThrow(TypeError);
    await expect(opening).rejects.toThrow(message);
  });

  it.each<[object, string]>([
    [{ rules: {} }, 'rules.adminUrl is the base of the control plane, http://… or https://…, not undefined'],
    [{ rules: { adminUrl: 'nonsense' } }, 'not "nonsense"'],
    [{ rules: { adminUrl: 'admin:3000' } }, 'not "admin:3000"'],
    [{ rules: { ...rules, pollMs: 0 } }, 'rules.pollMs must be an integer of at least 1, not 0'],
    [{ rules, beforeRules: 'maybe' }, 'beforeRules must be allow or deny, not "maybe"'],
    [{ rules, redisUrl: 'localhost:6379' }, 'a Redis URL starts with redis:// or rediss://'],
    [{ decision: 'nonsense', onFailure: 'allow' }, 'the decision service is http://…'],
    [{ decision: 'http://127.0.0.1:8090' }, 'onFailure must be allow or deny, not undefined'],
  ])('%j', async (options, message) => {
    const opening = open(options) as Promise<unknown>;
    await expect(opening).rejects.toThrow(RangeError);
    await expect(opening).rejects.toThrow(message);
  });

  it('takes an address that is undefined for one that is not there', async () => {
    const opened = (await open({ decision: undefined, rules })) as { close(): Promise<void> };
    await opened.close();
  });
});

it.each([
  ['redisURL', 'redisUrl'],
  ['keyGenerator', undefined],
  ['trustProxies', 'trustedProxies'],
  ['windowMs', undefined],
  ['header', 'headers'],
  ['', undefined],
])('%j was meant to be %j', (name, meant) => {
  expect(closestOption(name, ['redisUrl', 'key', 'trustedProxies', 'headers', 'timeoutMs', 'limiter'])).toBe(meant);
});
