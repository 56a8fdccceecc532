import type { InProcessOptions, RemoteOptions } from '@sluice/middleware';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * How the limiter is opened, by the environment: with `SLUICE_DECISION_URL` the decision service is asked, and waited for `DECISION_TIMEOUT_MS`; else this process takes part in the fleet itself,
 * with rules from `SLUICE_ADMIN_URL` (and `SLUICE_ADMIN_TOKEN`) and counters in `SLUICE_REDIS_URL`, or, without it, of its own.
 */
export function limiterOptions(env: Environment): InProcessOptions | RemoteOptions {
  const { SLUICE_DECISION_URL: decision, SLUICE_DECISION_TOKEN: token, SLUICE_ADMIN_URL: adminUrl, SLUICE_ADMIN_TOKEN: adminToken, SLUICE_REDIS_URL: redisUrl, DECISION_TIMEOUT_MS = '50' } = env;
  // Rather served without a limit for a moment than not at all; a login would choose deny.
  if (decision !== undefined) return { decision, token, timeoutMs: Number(DECISION_TIMEOUT_MS), onFailure: 'allow' };
  if (adminUrl === undefined) throw new Error('set SLUICE_ADMIN_URL, or SLUICE_DECISION_URL');
  return { rules: { adminUrl, token: adminToken, pollMs: 1_000 }, redisUrl: redisUrl?.split(',') };
}
