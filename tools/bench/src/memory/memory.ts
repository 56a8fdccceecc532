import { startRedis } from '@sluice/testkit';
import type { Benchmark } from '../benchmark.js';
import { fillCounters, fillStrings } from './fill.js';
import { MemoryProbe } from './memory-probe.js';
import { subjects, WINDOW_MS, type Subject } from './subjects.js';

const MILLION = 1_000_000;

export const memory: Benchmark = {
  name: 'memory',
  about: 'bytes of Redis a key, everything counted, beside two plain string counters with a TTL (R13)',
  async run({ short, print }) {
    const server = await startRedis();
    const probe = await MemoryProbe.open(server.url);
    try {
      print(probe.about);
      print(['what'.padEnd(28), 'keys'.padStart(9), 'bytes/key'.padStart(10), 'fields'.padStart(9)].join(' '));
      const keys = short ? 100_000 : MILLION;
      const show = async (what: string, count: number): Promise<void> => {
        const bytes = (await probe.grownBy()) / count;
        print([what.padEnd(28), String(count).padStart(9), bytes.toFixed(1).padStart(10), String(await probe.fields()).padStart(9)].join(' '));
      };
      await probe.reset();
      await fillStrings(probe.client, keys, WINDOW_MS);
      await show('two strings with a TTL', keys);
      const all = subjects();
      const [byDefault] = all;
      for (const subject of all) {
        await probe.reset();
        await fillCounters(probe.client, subject, { count: keys });
        await show(subject.name, keys);
      }
      for (const count of short ? [] : [MILLION / 10, 5 * MILLION]) {
        await probe.reset();
        await fillCounters(probe.client, byDefault, { count });
        await show(byDefault.name, count);
      }
      await probe.reset();
      await fillCounters(probe.client, byDefault, { count: keys, rules: 1_000 });
      await show('default, of 1,000 rules', keys);
      await churn(probe, byDefault, keys, show);
    } finally {
      await probe.close();
      await server.stop();
    }
  },
};

/**
 * Keys that are used once each, evenly through four windows, of which the last two still count: half of them. As the clock of the
 * store does not follow, nothing expires; what is gone was found dead by the writes of others.
 */
async function churn(probe: MemoryProbe, of: Subject, keys: number, show: (what: string, count: number) => Promise<void>): Promise<void> {
  await probe.reset();
  const startMs = Math.ceil(Date.now() / WINDOW_MS) * WINDOW_MS;
  await fillCounters(probe.client, of, { count: 2 * keys, startMs, spanMs: 4 * WINDOW_MS - 1 });
  await show('default, after two windows', keys);
}
