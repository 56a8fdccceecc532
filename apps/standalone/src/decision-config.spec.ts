import { loadStandaloneConfig } from './config.js';
import { decisionConfig } from './decision-config.js';

describe('R77 whose X-Forwarded-For is believed', () => {
  it.each([
    [{ SLUICE_DECISION_TRUSTED_PROXIES: '1' }, 'none', { hops: 1 }],
    [{ SLUICE_TRUSTED_PROXIES: '2' }, { hops: 2 }, undefined],
    [{ SLUICE_TRUSTED_PROXIES: '2', SLUICE_DECISION_TRUSTED_PROXIES: 'none' }, { hops: 2 }, 'none'],
  ])('%j: by the gateway %j, by the decision service alone %j', (env, gateway, own) => {
    const config = loadStandaloneConfig(env);
    const decision = decisionConfig(config, { ...config, adminUrl: 'http://127.0.0.1:3000', adminTokens: ['node-token'] });
    expect([config.trustedProxies, decision.trustedProxies, decision.ownTrustedProxies]).toEqual([gateway, gateway, own]);
  });
});
