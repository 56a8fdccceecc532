import { createReplay, type ReplayRequest, type RequestColumns } from '@sluice/replay';
import { compileSnapshot, type Rule, type RuleIndex, type Snapshot } from '@sluice/rules';
import type { Benchmark } from '../benchmark.js';
import { median } from '../cold/measure.js';
import { verdict } from '../verdict.js';
import { recordedColumns, recordedTraffic } from './recorded-traffic.js';

/** Decisions a second on one core, for plain rules. */
const GOAL = 1_000_000;

interface Case {
  readonly name: string;
  readonly rules: readonly Omit<Rule, 'version'>[];
  readonly keys: number;
  readonly share?: number;
  readonly isPlain?: boolean;
}

const PLANS = Array.from({ length: 20 }, (_, at) => `plan${at}`);
const MANY = PLANS.flatMap((plan) => Array.from({ length: 250 }, (_, at) => ({ rule_id: `${plan}-${at}`, plan, endpoint: `GET /v1/r${at}/{id}`, limit: 20, window_seconds: 60 })));

const CASES: readonly Case[] = [
  { name: 'one rule by key, 1,000 keys', rules: [{ rule_id: 'r', limit: 100, window_seconds: 60 }], keys: 1_000, isPlain: true },
  { name: 'one rule by key, 20,000 keys', rules: [{ rule_id: 'r', limit: 20, window_seconds: 60 }], keys: 20_000, isPlain: true },
  { name: 'the same, 100,000 keys', rules: [{ rule_id: 'r', limit: 20, window_seconds: 60 }], keys: 100_000 },
  { name: 'fixed window', rules: [{ rule_id: 'r', limit: 20, window_seconds: 60, algorithm: 'fixed_window' }], keys: 20_000 },
  { name: 'token bucket', rules: [{ rule_id: 'r', limit: 20, window_seconds: 60, algorithm: 'token_bucket' }], keys: 20_000 },
  { name: '5,000 rules by plan and endpoint', rules: MANY, keys: 20_000 },
  { name: 'two policies, by key and by plan', rules: [{ rule_id: 'r', limit: 20, window_seconds: 60 }, { rule_id: 'p', policy: 'p', count_by: ['plan'], limit: 5_000, window_seconds: 10 }], keys: 20_000 },
  { name: 'sampled at 1 %', rules: [{ rule_id: 'r', limit: 2_000, window_seconds: 60 }], keys: 20_000, share: 0.01 },
];

export const backtest: Benchmark = {
  name: 'backtest',
  about: 'recorded requests that a replay decides in a second, all sums of the report included',
  async run({ short, print }) {
    const rounds = short ? 3 : 9;
    const count = short ? 200_000 : 1_000_000;
    print('decisions in a second of one core\'s time, median (least to most): by columns, by values   refused   heap MB');
    const verdicts: string[] = [];
    for (const { name, rules, keys, share, isPlain = false } of CASES) {
      const requests = recordedTraffic({ count, keys, plans: PLANS, share });
      const columns = recordedColumns(requests);
      const snapshot = { version: 1, plans: PLANS.map((plan_id) => ({ plan_id })), rules: rules.map((rule) => ({ ...rule, version: 1 })), overrides: [] };
      const index = compileSnapshot(snapshot);
      // In turns, so that what else the machine does is the same for both.
      const both = Array.from({ length: rounds + 1 }, () => ({ values: replayed(index, snapshot, requests), columns: replayed(index, snapshot, columns) })).slice(1);
      const runs = both.map((pair) => pair.columns);
      const paces = runs.map(({ pace }) => pace);
      const valuePaces = both.map(({ values }) => values.pace);
      print(`${name.padEnd(34)} ${said(paces)}   ${said(valuePaces)}   ${percent(runs[0]?.refusedShare ?? 0)}   ${Math.max(...runs.map(({ heapMb }) => heapMb)).toFixed(0)}`);
      if (isPlain) verdicts.push(`${name}: ${verdict(`at least ${GOAL} decisions/s`, paces, (pace) => pace >= GOAL)}`);
    }
    print('');
    for (const said of verdicts) print(said);
    return Promise.resolve();
  },
};

interface Run {
  readonly pace: number;
  readonly refusedShare: number;
  readonly heapMb: number;
}

function replayed(index: RuleIndex, snapshot: Snapshot, requests: readonly (ReplayRequest | RequestColumns)[]): Run {
  globalThis.gc?.();
  const beforeBytes = process.memoryUsage().heapUsed;
  // Of the thread: on a machine that others use as well the clock says how busy they are.
  const before = process.threadCpuUsage();
  const replay = createReplay({ rules: index, snapshot });
  for (const one of requests) {
    if ('length' in one) replay.decideColumns(one);
    else replay.decide(one);
  }
  const { user, system } = process.threadCpuUsage(before);
  const spentMs = (user + system) / 1_000;
  const heapMb = (process.memoryUsage().heapUsed - beforeBytes) / 1024 / 1024;
  const { events, total } = replay.report({ brief: true });
  return { pace: (events / spentMs) * 1_000, refusedShare: total.refused_share, heapMb };
}

function said(paces: readonly number[]): string {
  return `${thousands(median(paces))} (${thousands(Math.min(...paces))} to ${thousands(Math.max(...paces))})`;
}

function thousands(pace: number): string {
  return `${(pace / 1_000).toFixed(0)}k`.padStart(6);
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`.padStart(7);
}
