import { endpointOf } from './endpoint-of.js';

describe('R1 the endpoint of a request', () => {
  it.each([
    ['GET', '/v1/items/7', 'GET /v1/items/7'],
    ['GET', '/', 'GET /'],
    ['POST', '/v1/items?x=/a/b', 'POST /v1/items'],
    ['GET', '/v1/items/', 'GET /v1/items/'],
    ['GET', '/file.tar.gz', 'GET /file.tar.gz'],
  ])('%s %s is %s', (method, url, endpoint) => {
    expect(endpointOf(method, url)).toBe(endpoint);
  });

  it('known failure 73: HEAD counts as GET', () => {
    expect(endpointOf('HEAD', '/v1/items')).toBe('GET /v1/items');
  });

  it.each(['/v1/%69tems', '/v1/./items', '/v1/x/../items', '/v1/%2e/items', '/v1/x/%2E%2e/items', '/v1/item%73', '/%76%31/items'])(
    'another spelling is the same endpoint: %s',
    (url) => {
      expect(endpointOf('GET', url)).toBe('GET /v1/items');
    },
  );

  it.each([
    ['/v1/pay%3Acheck', '/v1/pay:check'],
    ['/caf%C3%a9', '/caf%C3%A9'],
    ['/files/a%2fb', '/files/a%2Fb'],
    ['/a%2Bb', '/a+b'],
    ['/x%3ba%3Db', '/x;a=b'],
    ['/%40me/%2A', '/@me/*'],
    ['/a|b', '/a%7Cb'],
  ])('RFC 3986 6.2.2: %s is %s', (url, path) => {
    expect(endpointOf('GET', url)).toBe(`GET ${path}`);
    expect(endpointOf('GET', path)).toBe(`GET ${path}`);
  });

  it('leaves escapes that mean something', () => {
    expect(endpointOf('GET', '/v1/a%2Fb/%20/%7B')).toBe('GET /v1/a%2Fb/%20/%7B');
    expect(endpointOf('GET', '/v1/%5f%7e%7E%2d%5B')).toBe('GET /v1/_~~-%5B');
  });

  it('never throws, whatever the path', () => {
    for (const url of ['', '*', '//', '//host/x', '/%', '/%zz', '/\u0000', 'http://other/x', '/[', '/:@', '\\']) {
      expect(endpointOf('GET', url)).toMatch(/^GET /);
    }
    expect(endpointOf('GET', '//v1/items')).toBe('GET //v1/items');
  });
});
