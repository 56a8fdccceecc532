import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { backtest } from './backtest/backtest.js';
import type { Benchmark } from './benchmark.js';
import { cold } from './cold/cold.js';
import { engine } from './engine/engine.js';
import { gateway } from './gateway/gateway.js';
import { grpc } from './grpc/grpc.js';
import { hotkey } from './hotkey/hotkey.js';
import { http } from './http/http.js';
import { latency } from './latency/latency.js';
import { memory } from './memory/memory.js';
import { middleware } from './middleware/middleware.js';
import { sink } from './sink/sink.js';
import { snapshot } from './snapshot/snapshot.js';
import { stream } from './stream/stream.js';
import { swap } from './swap/swap.js';

const BENCHMARKS: readonly Benchmark[] = [engine, cold, latency, memory, hotkey, swap, snapshot, http, grpc, gateway, middleware, stream, backtest, sink];
const USAGE = `Usage: npm run bench -- [NAME ...] [--short]
Without a name it runs all; --short takes fewer rounds.
${BENCHMARKS.map(({ name, about }) => `  ${name}: ${about}`).join('\n')}`;

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { short: { type: 'boolean', default: false }, help: { type: 'boolean', short: 'h', default: false } },
  });
  const unknown = positionals.filter((name) => BENCHMARKS.every((benchmark) => benchmark.name !== name));
  if (values.help) console.log(USAGE);
  else if (unknown.length > 0) refuse(`no such benchmark: ${unknown.join(', ')}`);
  else await run(positionals.length > 0 ? positionals : BENCHMARKS.map(({ name }) => name), values.short);
} catch (error) {
  if (!(error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'))) throw error;
  refuse(error.message);
}

function refuse(why: string): void {
  console.error(`${why}\n\n${USAGE}`);
  process.exitCode = 2;
}

/**
 * Each in a process of its own: what one leaves behind (a heap, compiled code, above all the processor that it was bound to, which its servers would inherit) would
 * be in the figures of the next.
 */
async function run(names: readonly string[], short: boolean): Promise<void> {
  const [first, ...others] = BENCHMARKS.filter(({ name }) => names.includes(name));
  if (first === undefined) return;
  if (others.length > 0) {
    for (const { name } of [first, ...others]) runAlone(name, short);
    return;
  }
  console.log(`\n${first.name}: ${first.about} (Node ${process.version})`);
  await first.run({ short, print: (line) => console.log(line) });
}

function runAlone(name: string, short: boolean): void {
  const { status } = spawnSync(process.execPath, [...process.execArgv, import.meta.filename, name, ...(short ? ['--short'] : [])], { stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}
