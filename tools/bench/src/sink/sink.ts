import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Benchmark } from '../benchmark.js';

/** The service's own program: a tool imports no app. */
const PROGRAM = join(import.meta.dirname, '../../../..', 'apps/decision-log/dist/measure/main.js');

export const sink: Benchmark = {
  name: 'sink',
  about: 'the decision log on DuckDB: messages decoded and stored on one core, and what an explain costs in a large history',
  async run({ short, print }) {
    const child = spawn(process.execPath, [PROGRAM, ...(short ? ['--short'] : [])], { stdio: ['ignore', 'pipe', 'inherit'] });
    createInterface(child.stdout).on('line', print);
    const [code] = (await once(child, 'close')) as [number | null];
    if (code !== 0) throw new Error(`the measuring ended with ${String(code)}`);
  },
};
