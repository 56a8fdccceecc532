import { jest } from '@jest/globals';
import { findRedis } from './find-redis.js';

describe('R90 a Redis that cannot be had', () => {
  const path = process.env['PATH'];
  afterEach(() => {
    process.env['PATH'] = path;
    jest.restoreAllMocks();
  });

  it('is an error that says what to do, when not root', async () => {
    process.env['PATH'] = '/nowhere';
    jest.spyOn(process, 'getuid').mockReturnValue(1_000);
    await expect(findRedis()).rejects.toThrow(/apt-get install redis-server.*SLUICE_TEST_REDIS_URL/);
  });
});
