import type { Seed } from '@sluice-app/rules-admin';

/** Accepted from this machine only, and only while no token is configured. */
export const DEVELOPMENT_TOKEN = 'sluice-dev-admin';

/** What a new database holds, so that there is something to try. */
export const DEMO_SEED: Seed = {
  plans: [
    { plan_id: 'free', name: 'Free', default_limit: { limit: 5, window_seconds: 1 } },
    { plan_id: 'pro', name: 'Pro', default_limit: { limit: 100, window_seconds: 1 } },
  ],
  tenants: [
    { tenant_id: 'demo-free', name: 'A tenant on the free plan', plan_id: 'free' },
    { tenant_id: 'demo-pro', name: 'A tenant on the pro plan', plan_id: 'pro' },
  ],
  keys: [
    { key_id: 'demo-free', tenant_id: 'demo-free', name: 'Try me', secret: 'demo-free' },
    { key_id: 'demo-pro', tenant_id: 'demo-pro', name: 'Try me faster', secret: 'demo-pro' },
  ],
  rules: [{ rule_id: 'free-default', plan: 'free', endpoint: '*', limit: 5, window_seconds: 1 }],
};
