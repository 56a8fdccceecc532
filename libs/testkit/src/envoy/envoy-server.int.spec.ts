import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { freePort } from '../net/free-port.js';
import { startEnvoy } from './envoy-server.js';
import { findEnvoy } from './find-envoy.js';

const TIMEOUT_MS = 120_000;

const proxyTo = (port: number, upstreamPort: number): string => `
static_resources:
  listeners:
  - address: { socket_address: { address: 127.0.0.1, port_value: ${port} } }
    filter_chains:
    - filters:
      - name: envoy.filters.network.tcp_proxy
        typed_config: { '@type': type.googleapis.com/envoy.extensions.filters.network.tcp_proxy.v3.TcpProxy, stat_prefix: all, cluster: up }
  clusters:
  - name: up
    load_assignment:
      cluster_name: up
      endpoints: [{ lb_endpoints: [{ endpoint: { address: { socket_address: { address: 127.0.0.1, port_value: ${upstreamPort} } } } }] }]
`;

// The one server that may be missing: Debian has no package of it.
const ifEnvoy = (await findEnvoy()) === undefined ? describe.skip : describe;

ifEnvoy('R90 a private Envoy (skipped where none can be had)', () => {
  it('proxies as its configuration says, counts, and is gone after stop', async () => {
    const upstream = createServer((_request, response) => response.end('from upstream'));
    await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
    const port = await freePort();
    const envoy = await startEnvoy({ config: proxyTo(port, (upstream.address() as AddressInfo).port) });
    if (envoy === undefined) throw new Error('Envoy was found and is not there');
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('from upstream');
    expect(await envoy.stats(/^tcp\.all\.downstream_cx_total$/)).toEqual({ 'tcp.all.downstream_cx_total': 1 });
    const { pid } = envoy;
    await envoy.stop();
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    upstream.closeAllConnections();
    upstream.close();
  }, TIMEOUT_MS);

  it('says what is wrong with a configuration', async () => {
    await expect(startEnvoy({ config: 'static_resources: { listenrs: [] }' })).rejects.toThrow(/listenrs/);
  }, TIMEOUT_MS);
});

describe('R90 an Envoy that cannot be had', () => {
  const before = { ...process.env };
  afterEach(() => {
    process.env = before;
  });

  it('is no error, but is said', async () => {
    process.env = { ...before, PATH: '/nowhere', SLUICE_TEST_ENVOY: '' };
    const said: string[] = [];
    const write = process.stderr.write.bind(process.stderr);
    process.stderr.write = (text: string | Uint8Array): boolean => said.push(String(text)) > 0;
    try {
      expect(await startEnvoy({ config: '' })).toBeUndefined();
    } finally {
      process.stderr.write = write;
    }
    expect(said.join('')).toMatch(/NO ENVOY HERE.*SLUICE_TEST_ENVOY/);
  });
});
