import { parseArgs } from 'node:util';
import { engine } from './engine/engine.js';
import type { Benchmark } from './benchmark.js';

const BENCHMARKS: readonly Benchmark[] = [engine];

const { values, positionals } = parseArgs({ allowPositionals: true, options: { short: { type: 'boolean', default: false } } });
const unknown = positionals.filter((name) => BENCHMARKS.every((benchmark) => benchmark.name !== name));
if (unknown.length > 0) {
  console.error(`no such benchmark: ${unknown.join(', ')}; there are: ${BENCHMARKS.map(({ name }) => name).join(', ')}`);
  process.exit(2);
}
for (const benchmark of BENCHMARKS) {
  if (positionals.length > 0 && !positionals.includes(benchmark.name)) continue;
  console.log(`\n${benchmark.name}: ${benchmark.about} (Node ${process.version})`);
  await benchmark.run({ short: values.short, print: (line) => console.log(line) });
}
