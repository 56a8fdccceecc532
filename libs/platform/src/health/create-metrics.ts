import { collectDefaultMetrics, Registry } from 'prom-client';

/**
 * A registry of one app's metrics. Not prom-client's global one: several apps may run in one process, and each answers `/metrics`
 * with its own. `process` adds event loop, heap and GC, which is wanted once a process.
 */
export function createMetrics({ app, process }: { readonly app: string; readonly process: boolean }): Registry {
  const registry = new Registry();
  registry.setDefaultLabels({ app });
  if (process) collectDefaultMetrics({ register: registry });
  return registry;
}

export type { Registry } from 'prom-client';
