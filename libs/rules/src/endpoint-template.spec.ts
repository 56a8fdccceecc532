import { parseEndpoint, templateKey } from './endpoint-template.js';

function keyOf(text: string): string {
  const parsed = parseEndpoint(text);
  return parsed.kind === 'template' ? templateKey(parsed.template) : parsed.kind;
}

describe('R57 endpoint templates', () => {
  it.each([
    ['*', 'any'],
    ['/*', 'any'],
    ['/', ' /'],
    ['GET *', 'GET //*'],
    ['GET /*', 'GET //*'],
    ['GET /v1/items/{id}', 'GET /v1/items/{}'],
    ['GET /v1/items/{other}/', 'GET /v1/items/{}'],
    ['/v1/items/*', ' /v1/items/*'],
    ['POST /v1/ratelimit:check', 'POST /v1/ratelimit:check'],
    ['/envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit', ' /envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit'],
    ['/a%20b/~x/@me', ' /a%20b/~x/@me'],
    ['GET /%61bc', 'GET /abc'],
    ['/caf%c3%a9', ' /caf%C3%A9'],
    ['/v1/pay%3Acheck', ' /v1/pay:check'],
    ['/a/%2A', ' /a/%2A'],
    ['/a/%7Bid%7d', ' /a/%7Bid%7D'],
  ])('%s is well formed', (text, key) => {
    expect(keyOf(text)).toBe(key);
  });

  it.each([
    '',
    'items',
    'get /items',
    'GET  /items',
    'GET/items',
    'GET items',
    'GET ',
    'VERYLONGMETHODNAME /x',
    '/a//b',
    '//',
    '/a/*/b',
    '/a*',
    '/a/**',
    '/{id}.json',
    '/{}',
    '/{1}',
    '/{a',
    '/a}',
    '/:id',
    '/a b',
    '/a?x=1',
    '/a#b',
    '/ä',
    '/a%2',
    '/x/../y',
    '/./y',
    '/x/..',
    '/x/%2e%2E/y',
    '/%2e',
    '/../*',
    '/a\n',
    `/${'a'.repeat(512)}`,
  ])('%j is malformed', (text) => {
    expect(keyOf(text)).toBe('malformed');
  });
});
