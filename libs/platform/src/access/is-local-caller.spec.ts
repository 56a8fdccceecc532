import { isLocalCaller } from './is-local-caller.js';

describe('R62 tokens for this machine alone', () => {
  it.each<[string, Record<string, string>, boolean]>([
    ['127.0.0.1', {}, true],
    ['127.8.9.10', {}, true],
    ['::1', {}, true],
    ['::ffff:127.0.0.1', {}, true],
    ['192.0.2.1', {}, false],
    ['::ffff:192.0.2.1', {}, false],
    ['::', {}, false],
    ['127.0.0.1', { 'x-forwarded-for': '127.0.0.1' }, false],
    ['127.0.0.1', { forwarded: 'for=127.0.0.1' }, false],
    ['::1', { 'x-real-ip': '' }, false],
    ['::1', { via: '1.1 proxy' }, false],
  ])('%s with %j: %s', (ip, headers, local) => {
    expect(isLocalCaller({ ip, headers })).toBe(local);
  });
});
