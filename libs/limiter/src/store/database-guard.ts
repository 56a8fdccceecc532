import type { ScriptClient } from '@sluice/lua-scripts';
import type { Redis } from 'ioredis';
import { StoreFault } from './store-fault.js';

/**
 * Keeps counters out of a database that nobody meant: where a server refuses the one that is asked for, ioredis goes on in database 0. Here the
 * connection is dropped before a call is sent, and tried again.
 */
export class DatabaseGuard {
  private refused: StoreFault | undefined;
  private told: (fault: StoreFault) => void = () => undefined;

  constructor(client: ScriptClient) {
    if (client.isCluster) return;
    const { options } = client as Redis;
    client.on('ready', () => (this.refused = undefined));
    client.on('error', (error: Error) => {
      if (!isSelect(error)) return;
      this.refused = new StoreFault('rejected', `database ${options.db} cannot be selected: ${error.message}`, { cause: error });
      (client as Redis).stream.destroy();
      this.told(this.refused);
    });
  }

  /** @param told hears why, now or later, if the database is refused. */
  watch(told: (fault: StoreFault) => void): void {
    this.told = told;
    if (this.refused !== undefined) told(this.refused);
  }
}

function isSelect(error: Error & { readonly command?: { readonly name: string } }): boolean {
  return error.command?.name === 'select';
}
