import { Registry } from 'prom-client';
import { observePropagation } from './observe-propagation.js';

describe('R55 propagation time', () => {
  it('is observed for versions that replace an older one, in seconds', async () => {
    const registry = new Registry();
    const observe = observePropagation(registry);
    observe({ version: 3, previousVersion: undefined, publishedAgeMs: 9_000_000 });
    observe({ version: 4, previousVersion: 3, publishedAgeMs: undefined });
    observe({ version: 2, previousVersion: 4, publishedAgeMs: 9_000_000 });
    expect(await registry.metrics()).toContain('sluice_config_propagation_seconds_count 0');
    observe({ version: 3, previousVersion: 2, publishedAgeMs: 700 });
    observe({ version: 4, previousVersion: 3, publishedAgeMs: 61_300 });
    const text = await registry.metrics();
    expect(text).toContain('sluice_config_propagation_seconds_sum 62');
    expect(text).toContain('sluice_config_propagation_seconds_bucket{le="1"} 1');
    expect(text).toContain('sluice_config_propagation_seconds_bucket{le="120"} 2');
  });
});
