import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Snapshot } from '@sluice/rules';
import { type KafkaServer, startKafka, startRedis } from '@sluice/testkit';
import { median } from '../cold/measure.js';
import { startDecision } from '../http/decision-process.js';
import { postBytes } from '../http/post.js';
import { saturate } from '../http/saturate.js';
import { pin } from '../redis/pin.js';
import type { ServerProcess } from '../snapshot/server-process.js';
import { verdict } from '../verdict.js';
import { LEAST_RATIO } from './saturated.js';

const CONNECTIONS = 32;
const CALLERS = 100;
/** Half of the callers' requests are refused after their first ones. */
const RULES: Snapshot = {
  version: 1,
  plans: [{ plan_id: 'pro' }],
  rules: [
    { rule_id: 'pro-items', version: 3, plan: 'pro', endpoint: 'GET /v1/items/{id}', limit: 1_000_000_000, window_seconds: 3600 },
    { rule_id: 'pro-search', version: 1, plan: 'pro', endpoint: 'GET /v1/search', limit: 10, window_seconds: 3600 },
  ],
  overrides: [],
};
const CHECKS = Array.from({ length: CALLERS }, (_, caller) => {
  const descriptors = Object.entries({ plan: 'pro', key_id: `key-${caller}`, endpoint: caller % 2 === 0 ? 'GET /v1/search' : `GET /v1/items/${caller}` });
  return postBytes('/v1/ratelimit:check', JSON.stringify({ domain: 'api', descriptors: descriptors.map(([key, value]) => ({ key, value })) }));
});

const KINDS = ['no stream', 'running', 'stopped'] as const;
type Kind = (typeof KINDS)[number];

interface Turn {
  readonly perSecond: number;
  readonly cpuUs: number;
  readonly sent: number;
  readonly dropped: number;
}

/**
 * The decision service as it is deployed, half of what it is asked refused: without a stream, with Kafka running, and with the same Kafka stopped where it
 * stands (SIGSTOP: connections stay open, nothing is answered). One process has no stream, another one is that of the two other turns.
 */
export async function printServed(short: boolean, print: (line: string) => void): Promise<void> {
  const canPin = availableParallelism() > 1;
  const [redis, kafka] = await Promise.all([startRedis(), startKafka()]);
  const servers: ServerProcess[] = [];
  try {
    const plain = await startDecision(RULES, redis.url);
    servers.push(plain);
    const noting = await startDecision(RULES, redis.url, 0, { SLUICE_KAFKA_BROKERS: kafka.brokers.join() });
    servers.push(noting);
    const pinned = canPin && [plain, noting].every(({ pid }) => pin(pid, 0)) && [redis.pid, kafka.pid, process.pid].every((pid) => pin(pid, 1));
    print(`POST /v1/ratelimit:check, ${CONNECTIONS} connections, half refused, Kafka is ${kafka.kind === 'kafka' ? 'Apache Kafka' : 'a mock'}; ${pinned ? 'servers on one processor, loader, Redis and Kafka on the other' : 'processors not pinned'}`);
    const seconds = short ? 0.6 : 3;
    const of: Record<Kind, ServerProcess> = { 'no stream': plain, running: noting, stopped: noting };
    for (const server of [plain, noting]) await saturate(server.port, CHECKS, { connections: CONNECTIONS, seconds: short ? 1 : 8 });
    const rounds: Record<Kind, Turn>[] = [];
    for (let round = 0; round < (short ? 3 : 9); round += 1) {
      const turns: Partial<Record<Kind, Turn>> = {};
      for (const kind of KINDS) turns[kind] = await withKafka(kafka, kind, noting, () => turn(of[kind], seconds));
      rounds.push(turns as Record<Kind, Turn>);
    }
    printRounds(rounds, print);
  } finally {
    for (const server of servers) await server.stop();
    await Promise.all([redis.stop(), kafka.stop()]);
  }
}

function printRounds(rounds: readonly Record<Kind, Turn>[], print: (line: string) => void): void {
  print('stream          checks/s   CPU µs   of no stream   of running   sent/s   dropped/s');
  for (const kind of KINDS) {
    const value = (field: keyof Turn): number => median(rounds.map((taken) => taken[kind][field]));
    const ratio = (to: Kind): number => median(rounds.map((taken) => taken[kind].perSecond / taken[to].perSecond));
    print(
      [
        kind.padEnd(12),
        value('perSecond').toFixed(0).padStart(11),
        value('cpuUs').toFixed(1).padStart(8),
        ratio('no stream').toFixed(3).padStart(14),
        ratio('running').toFixed(3).padStart(12),
        value('sent').toFixed(0).padStart(8),
        value('dropped').toFixed(0).padStart(11),
      ].join(' '),
    );
  }
  const stopped = (by: (turn: Turn) => number): number[] => rounds.map((taken) => by(taken.stopped) / by(taken.running));
  print(`stopped of running, by rate: ${verdict(`at least ${LEAST_RATIO}`, stopped(({ perSecond }) => perSecond), (ratio) => ratio >= LEAST_RATIO)}; by CPU: ${verdict(`at least ${LEAST_RATIO}`, stopped(({ cpuUs }) => 1 / cpuUs), (ratio) => ratio >= LEAST_RATIO)}`);
}

/** The stream is well, or has lost a batch, before a turn begins. */
async function withKafka(kafka: KafkaServer, kind: Kind, noting: ServerProcess, take: () => Promise<Turn>): Promise<Turn> {
  if (kind !== 'stopped') return take();
  kafka.pause();
  try {
    return await take();
  } finally {
    kafka.resume();
    const { sent } = await counts(noting);
    const deadlineMs = performance.now() + 30_000;
    while ((await counts(noting)).sent === sent && performance.now() < deadlineMs) await sleep(50);
  }
}

async function turn(server: ServerProcess, seconds: number): Promise<Turn> {
  const [cpuBeforeUs, before] = [server.usedCpuUs(), await counts(server)];
  const perSecond = await saturate(server.port, CHECKS, { connections: CONNECTIONS, seconds });
  const cpuUs = (server.usedCpuUs() - cpuBeforeUs) / (perSecond * seconds);
  const after = await counts(server);
  return { perSecond, cpuUs, sent: (after.sent - before.sent) / seconds, dropped: (after.dropped - before.dropped) / seconds };
}

/** What its stream counts; nothing where there is none. */
async function counts({ port }: ServerProcess): Promise<{ readonly sent: number; readonly dropped: number }> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const value = (outcome: string): number => Number(new RegExp(`^sluice_stream_events_total\\{[^}]*outcome="${outcome}"[^}]*\\} (\\S+)`, 'm').exec(text)?.[1] ?? 0);
  return { sent: value('sent'), dropped: value('dropped_full') + value('dropped_sink') };
}
