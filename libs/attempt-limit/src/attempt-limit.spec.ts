import { AttemptLimit } from './attempt-limit.js';

let limit: AttemptLimit;
beforeEach(() => {
  limit = new AttemptLimit({ perAddress: 3, addresses: 50 });
});
afterEach(() => limit.close());

const statuses = async (...addresses: readonly string[]): Promise<string> => {
  const outcomes: string[] = [];
  for (const ip of addresses) outcomes.push((await limit.count(ip)).status === 'counted' ? 'c' : 'r');
  return outcomes.join('');
};

describe('R62 attempts by address', () => {
  it('each address has its own; one of IPv4 is the same through a dual-stack socket', async () => {
    expect(await statuses('192.0.2.1', '192.0.2.1', '::ffff:192.0.2.1', '192.0.2.1', '192.0.2.2')).toBe('cccrc');
  });

  it('IPv6 counts by /64: who has one has 2^64 addresses', async () => {
    expect(await statuses('2001:db8:1:2::1', '2001:db8:1:2::2', '2001:db8:1:2:ffff::3', '2001:db8:1:2::4', '2001:db8:1:3::1')).toBe('cccrc');
  });

  it('many addresses together are bounded, and what is refused is counted nowhere', async () => {
    const addresses = Array.from({ length: 200 }, (_, at) => `10.0.${at >> 8}.${at & 255}`);
    const outcomes = await statuses(...addresses);
    expect([outcomes.replaceAll('r', '').length, outcomes.slice(0, 150).includes('r')]).toEqual([150, false]);
  });

  it('a refusal says when to come again; what is taken back was none', async () => {
    for (let at = 0; at < 10; at += 1) {
      const failure = await limit.count('192.0.2.1');
      if (failure.status === 'counted') failure.takeBack();
      expect(failure.status).toBe('counted');
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    await statuses('192.0.2.1', '192.0.2.1', '192.0.2.1');
    const refused = await limit.count('192.0.2.1');
    expect(refused).toEqual({ status: 'refused', retryAfterMs: expect.any(Number) });
    expect('retryAfterMs' in refused && refused.retryAfterMs > 0 && refused.retryAfterMs <= 120_000).toBe(true);
  });
});
