import { unwatchFile, watchFile } from 'node:fs';
import type { SecureContextOptions } from 'node:tls';
import type { Logger } from '@sluice/platform';
import { readTls, type TlsFiles } from './tls-files.js';

/** A server that takes other certificates while it runs: https and http2 servers are such. */
export interface Renewable {
  setSecureContext(options: SecureContextOptions): void;
}

export interface RenewTlsOptions {
  readonly files: TlsFiles;
  readonly server: Renewable;
  readonly logger: Pick<Logger, 'info' | 'error'>;
  /** How often the files are looked at, ms. Default 2,000. */
  readonly everyMs?: number;
}

/**
 * Reads certificates anew when a file changes, for connections from then on; connections that are there keep what they had. By a look at the
 * files every few seconds: it follows the symbolic links by which orchestrators swap files, and no signal has to be sent to each process. While the new
 * files do not fit together (one is written, the other not yet) the old ones serve on.
 *
 * @returns ends it
 */
export function renewTls({ files, server, logger, everyMs = 2_000 }: RenewTlsOptions): () => void {
  const paths = [files.cert, files.key, ...(files.clientCa === undefined ? [] : [files.clientCa])];
  const renew = (): void => {
    try {
      server.setSecureContext(readTls(files));
      logger.info('certificates read anew');
    } catch (error) {
      logger.error({ reason: error instanceof Error ? error.message : String(error) }, 'the new certificates are of no use yet; the old ones serve on');
    }
  };
  for (const path of paths) watchFile(path, { interval: everyMs, persistent: false }, renew);
  return () => {
    for (const path of paths) unwatchFile(path, renew);
  };
}
