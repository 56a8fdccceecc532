import type { Redis } from 'ioredis';

const CALLS = /cmdstat_(\w+):calls=(\d+),usec=\d+,usec_per_call=[\d.]+,rejected_calls=(\d+),failed_calls=(\d+)/g;

/** Script runs for counters since the last CONFIG RESETSTAT, as Redis counts them. Each heartbeat counts those before it once, each look for split counters for a whole hash. */
export async function scriptRuns(admin: Redis): Promise<number> {
  const ran = new Map<string, number>();
  for (const [, name = '', calls, rejected, failed] of (await admin.info('commandstats')).matchAll(CALLS)) {
    ran.set(name, Number(calls) - Number(rejected) - Number(failed));
  }
  return (ran.get('evalsha') ?? 0) + (ran.get('eval') ?? 0) - (ran.get('zlexcount') ?? 0) - (ran.get('hgetall') ?? 0) - (ran.get('hexists') ?? 0);
}
