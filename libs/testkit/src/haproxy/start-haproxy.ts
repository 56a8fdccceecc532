import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findOrInstall } from '../find/find-or-install.js';
import { type ProxyServer, startProxy } from '../net/proxy-server.js';
import type { Lifetime } from '../run/server-process.js';

/** What to run. */
export interface HaproxyOptions {
  /** The whole configuration. It listens on `port`. */
  readonly config: string;
  readonly port: number;
  /** Files beside the configuration by name, Lua say; it runs in their folder. */
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  /** Default `process`: the server ends with this process at the latest. */
  readonly lifetime?: Lifetime;
}

/** Starts a private HAProxy in one process. */
export async function startHaproxy({ config, port, files = {}, env = {}, lifetime = 'process' }: HaproxyOptions): Promise<ProxyServer> {
  const command = await findOrInstall('haproxy');
  return startProxy({ name: `haproxy-${port}`, command, args: () => ['-db', '-f', 'haproxy.cfg'], env, lifetime, stopSignal: 'SIGKILL' }, port, (dataDir) => {
    for (const [name, text] of Object.entries({ ...files, 'haproxy.cfg': config })) writeFileSync(join(dataDir, name), text);
  });
}
