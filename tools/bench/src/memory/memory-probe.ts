import { loadScripts, NO_RESEND } from '@sluice/lua-scripts';
import { Redis } from 'ioredis';
import { setTimeout as sleep } from 'node:timers/promises';

/** Readings of `used_memory` this close together, so many times: the tables of Redis have stopped to move. */
const STILL_BYTES = 4_096;
const STILL_TIMES = 4;
const READ_EVERY_MS = 150;

/** How much a Redis has grown, everything counted: keys, values, expiries, tables and what the allocator rounds up. */
export class MemoryProbe {
  private emptyBytes = 0;

  private constructor(
    readonly client: Redis,
    /** Version and allocator of the server. */
    readonly about: string,
  ) {}

  static async open(url: string): Promise<MemoryProbe> {
    const client = new Redis(url, { ...NO_RESEND, enableOfflineQueue: true });
    const info = (await client.info('server')) + (await client.info('memory'));
    const field = (name: string): string => new RegExp(`${name}:(\\S+)`).exec(info)?.[1] ?? '?';
    return new MemoryProbe(client, `Redis ${field('redis_version')}, ${field('mem_allocator')}`);
  }

  /** Empties the server, and takes what it then uses for nothing. */
  async reset(): Promise<void> {
    await this.client.flushall('SYNC');
    await loadScripts(this.client);
    this.emptyBytes = await this.stillBytes();
  }

  async grownBy(): Promise<number> {
    return (await this.stillBytes()) - this.emptyBytes;
  }

  /** Fields of all hashes, and keys of other types. */
  async fields(): Promise<number> {
    let fields = 0;
    let cursor = '0';
    do {
      const [next, keys] = await this.client.scan(cursor, 'COUNT', 2_000);
      cursor = next;
      const pipeline = this.client.pipeline();
      for (const key of keys) pipeline.hlen(key);
      for (const [error, length] of (await pipeline.exec()) ?? []) fields += error === null ? Number(length) : 1;
    } while (cursor !== '0');
    return fields;
  }

  async close(): Promise<void> {
    await this.client.quit();
  }

  private async stillBytes(): Promise<number> {
    let last = await this.usedBytes();
    for (let still = 0; still < STILL_TIMES; ) {
      await sleep(READ_EVERY_MS);
      const now = await this.usedBytes();
      still = Math.abs(now - last) < STILL_BYTES ? still + 1 : 0;
      last = now;
    }
    return last;
  }

  private async usedBytes(): Promise<number> {
    return Number(/used_memory:(\d+)/.exec(await this.client.info('memory'))?.[1] ?? 0);
  }
}
