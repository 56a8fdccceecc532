import { askedRequest } from './asked-request.js';

const ORIGINAL = { 'x-original-uri': '/v1/a', 'x-original-method': 'GET' };
const FORWARDED = { 'x-forwarded-uri': '/v1/b', 'x-forwarded-method': 'POST' };

function endpointAt(uri: string, method = 'GET'): unknown {
  const asked = askedRequest({ 'x-original-uri': uri, 'x-original-method': method }, undefined);
  return asked.ok ? asked.endpoint : undefined;
}

describe('R74 R77 what a proxy asks about', () => {
  it('is in X-Original-* or in X-Forwarded-*', () => {
    expect(askedRequest(ORIGINAL, undefined)).toEqual({ ok: true, method: 'GET', endpoint: 'GET /v1/a' });
    expect(askedRequest(FORWARDED, undefined)).toEqual({ ok: true, method: 'POST', endpoint: 'POST /v1/b' });
  });

  it('is refused in both, unless the configuration says which the proxy writes', () => {
    expect(askedRequest({ ...ORIGINAL, ...FORWARDED }, undefined).ok).toBe(false);
    expect(askedRequest({ ...ORIGINAL, 'x-forwarded-method': 'GET' }, undefined).ok).toBe(false);
    expect(askedRequest({ ...ORIGINAL, ...FORWARDED }, 'original')).toMatchObject({ endpoint: 'GET /v1/a' });
    expect(askedRequest({ ...ORIGINAL, ...FORWARDED }, 'forwarded')).toMatchObject({ endpoint: 'POST /v1/b' });
    // What the proxy does not write does not stand in for what it forgot.
    expect(askedRequest(FORWARDED, 'original').ok).toBe(false);
  });

  it('is there once and whole', () => {
    expect(askedRequest({}, undefined).ok).toBe(false);
    expect(askedRequest({ 'x-original-uri': '/v1/a' }, undefined).ok).toBe(false);
    expect(askedRequest({ 'x-original-method': 'GET' }, undefined).ok).toBe(false);
    // As node joins fields that are there twice.
    expect(endpointAt('/v1/cheap, /v1/dear')).toBeUndefined();
    expect(endpointAt('/v1/a', 'GET, POST')).toBeUndefined();
    expect(endpointAt('')).toBeUndefined();
  });

  it.each([
    ['/v1/search?q=1', 'GET /v1/search'],
    ['http://other.example/v1/search?q=1', 'GET /v1/search'],
    ['HTTPS://other.example:8443/v1/search', 'GET /v1/search'],
    ['http://other.example', 'GET /'],
    ['/v1/x/../search', 'GET /v1/search'],
    ['/v1/%73earch', 'GET /v1/search'],
    ['/v1/x/%2e%2E/search', 'GET /v1/search'],
    ['//v1/search', 'GET //v1/search'],
    ['v1/search', 'GET /v1/search'],
  ])('known failure 60 and its neighbours: %s is one spelling of %s', (uri, endpoint) => {
    expect(endpointAt(uri)).toBe(endpoint);
  });

  it('known failure 73: HEAD counts as GET', () => {
    expect(endpointAt('/v1/search', 'HEAD')).toBe('GET /v1/search');
    expect(endpointAt('/v1/search', 'PROPFIND')).toBe('PROPFIND /v1/search');
  });
});
