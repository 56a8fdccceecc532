import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buildApp, FRAMEWORKS } from './app.js';
import { VARIANTS } from './app-variants.js';

/**
 * A process of its own: the same app in all its variants, each on a port, so that all run in one heap and on one processor. Sends the ports, and for each
 * message the processor time so far, µs. It ends with the benchmark, however that ends.
 */
const framework = FRAMEWORKS.find((name) => name === process.argv[2]);
if (framework === undefined) throw new Error(`a framework is one of ${FRAMEWORKS.join(', ')}`);
const ports: Record<string, number> = {};
for (const variant of VARIANTS) {
  const server = createServer({ keepAliveTimeout: 0 }, await buildApp(framework, variant));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address() as AddressInfo;
  ports[variant] = address.port;
}
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.({ userUs: user, systemUs: system });
});
process.on('disconnect', () => process.exit());
process.send?.(ports);
