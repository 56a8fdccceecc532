import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findOrInstall } from '../find/find-or-install.js';
import { type ProxyServer, startProxy } from '../net/proxy-server.js';
import type { Lifetime } from '../run/server-process.js';

/** What to run. */
export interface NginxOptions {
  /** What stands in `http {}`: the text of a file in conf.d. It listens on `port`. */
  readonly config: string;
  readonly port: number;
  /** Default `process`: the server ends with this process at the latest. */
  readonly lifetime?: Lifetime;
}

/** Folders that Debian's nginx would want below /var/lib. */
const TEMPORARY = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];

/** Starts a private nginx, with one worker. */
export async function startNginx({ config, port, lifetime = 'process' }: NginxOptions): Promise<ProxyServer> {
  const command = await findOrInstall('nginx');
  return startProxy(
    { name: `nginx-${port}`, command, args: (dataDir) => ['-p', dataDir, '-c', join(dataDir, 'nginx.conf'), '-e', 'stderr'], lifetime, stopSignal: 'SIGKILL' },
    port,
    (dataDir) => {
      // As root its worker would be nobody, who may not look into this folder.
      const user = process.getuid?.() === 0 ? 'user root;' : '';
      const paths = TEMPORARY.map((each) => `${each}_temp_path ${join(dataDir, each)};`).join(' ');
      writeFileSync(join(dataDir, 'site.conf'), config);
      writeFileSync(
        join(dataDir, 'nginx.conf'),
        `daemon off; ${user} pid ${join(dataDir, 'nginx.pid')}; error_log stderr warn; worker_processes 1; events { worker_connections 256; }\nhttp { access_log off; ${paths} include site.conf; }\n`,
      );
    },
  );
}
