import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, startRedis } from '@sluice/testkit';
import { NoStoreError, runDemo } from '../src/index.js';

const golden = readFileSync(join(import.meta.dirname, 'golden.txt'), 'utf8').trimEnd().split('\n');

async function printed(redisUrl: string | undefined): Promise<string[]> {
  const lines: string[] = [];
  await runDemo(redisUrl, (line) => lines.push(line));
  return lines;
}

describe('R94 the demo prints the seven facts', () => {
  it('from memory', async () => {
    expect(await printed(undefined)).toEqual(golden);
  });

  it('from real Redis, the same to the letter', async () => {
    const redis = await startRedis();
    try {
      expect(await printed(redis.url)).toEqual(golden);
    } finally {
      await redis.stop();
    }
  });

  it('or says in one line that there is no such Redis', async () => {
    const absent = `redis://127.0.0.1:${await freePort()}`;
    for (const [url, why] of [['foo', /SLUICE_REDIS_URL: a Redis URL starts with/], [absent, /SLUICE_REDIS_URL: Redis did not answer.*ECONNREFUSED/]] as const) {
      const fault: unknown = await printed(url).catch((error: unknown) => error);
      expect(fault).toBeInstanceOf(NoStoreError);
      expect(String(fault)).toMatch(why);
      expect(String(fault)).not.toContain('\n');
    }
  }, 15_000);
});
