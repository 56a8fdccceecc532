import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startRedis } from '@sluice/testkit';
import { runDemo } from '../src/index.js';

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
});
