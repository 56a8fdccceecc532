import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { clientAddress } from './client-address.js';
import { endpointOf } from './endpoint-of.js';
import { originForm } from './skin/origin-form.js';
import { trustedProxies } from './trusted-proxies.js';

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc') as () => void;

/** What keeping so many results holds, in MB. */
function held(read: (long: string) => string, longOf: (at: number) => string): number {
  // As a busy node runs it: what is compiled for speed keeps references where other code does not.
  for (let at = 0; at < 50_000; at += 1) read(`/v1/items/abcdefghij?${String(at % 100)}`);
  gc();
  const before = process.memoryUsage().heapUsed;
  const kept: string[] = [];
  for (let at = 0; at < 2_000; at += 1) kept.push(read(Buffer.from(longOf(at)).toString('latin1')));
  gc();
  const after = process.memoryUsage().heapUsed;
  expect(kept).toHaveLength(2_000);
  return (after - before) / 1e6;
}

describe('R80, R43 what is kept of a request holds no more of it than that', () => {
  it.each<readonly [string, (long: string) => string, (at: number) => string]>([
    ['the endpoint, of a long query', (url) => endpointOf('GET', url), (at) => `/v1/items/abcdefghij?${String(at).padEnd(14_000, 'x')}`],
    ['the endpoint in another spelling', (url) => endpointOf('GET', url), (at) => `/v1/items/%61bcdefghij?${String(at).padEnd(14_000, 'x')}`],
    ['the endpoint, of no path at all', (url) => endpointOf('GET', url), (at) => `//[/v1/items/abcdef?${String(at).padEnd(14_000, 'x')}`],
    ['the endpoint, of a target with a long authority', (url) => endpointOf('GET', originForm(url)), (at) => `http://${String(at).padEnd(14_000, 'x')}/v1/items/abcdefghij`],
    ['the address, of a long chain', (chain) => clientAddress('127.0.0.1', chain, trustedProxies({ hops: 1 })), (at) => `${String(at).padEnd(14_000, 'x')}, 203.0.113.199`],
  ])('%s', (_, read, longOf) => {
    expect(held(read, longOf)).toBeLessThan(4);
  });
});
