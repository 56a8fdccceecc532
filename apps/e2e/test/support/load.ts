import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** What to ask for, again and again. */
export interface LoadOptions {
  readonly url: string;
  readonly requestsPerSecond: number;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
}

/** One answer of a load. Status 0: there was none. */
export interface Answered {
  readonly atMs: number;
  readonly tookMs: number;
  readonly status: number;
}

/** Requests that come at a steady pace, however long the answers take. */
export interface Load {
  /** Those asked since `fromMs` and answered so far. */
  since(fromMs: number): readonly Answered[];
  /** Sends no more; resolves to all when the last is answered. */
  stop(): Promise<readonly Answered[]>;
}

const TIMEOUT_MS = 10_000;

export function startLoad({ url, requestsPerSecond, method = 'GET', headers = {}, body }: LoadOptions): Load {
  const agent = new Agent({ keepAlive: true });
  const sent = body === undefined ? undefined : JSON.stringify(body);
  const fields = { ...(sent === undefined ? {} : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(sent)) }), ...headers };
  const all: Answered[] = [];
  const inTheAir = new Set<Promise<void>>();
  let stopped = false;

  function one(): Promise<void> {
    const atMs = Date.now();
    const startedMs = performance.now();
    return new Promise((resolve) => {
      const note = (status: number): void => {
        all.push({ atMs, tookMs: performance.now() - startedMs, status });
        resolve();
      };
      const asked = request(url, { method, agent, headers: fields, timeout: TIMEOUT_MS }, (response) => {
        response.resume().on('end', () => note(response.statusCode ?? 0)).on('error', () => note(0));
      });
      asked.on('timeout', () => asked.destroy(new Error('late')));
      asked.on('error', () => note(0));
      asked.end(sent);
    });
  }

  async function drive(): Promise<void> {
    const startedMs = performance.now();
    for (let count = 0; !stopped; await sleep(2)) {
      for (const due = ((performance.now() - startedMs) / 1000) * requestsPerSecond; count < due && !stopped; count += 1) {
        const answer = one();
        inTheAir.add(answer);
        void answer.then(() => inTheAir.delete(answer));
      }
    }
  }

  const driving = drive();
  return {
    since: (fromMs) => all.filter(({ atMs }) => atMs >= fromMs),
    async stop() {
      stopped = true;
      await driving;
      await Promise.all(inTheAir);
      agent.destroy();
      return all;
    },
  };
}

/** Of these, how many there were of each status, and the times that half and 99 of 100 took, ms. */
export function summary(answers: readonly Answered[]): { readonly statuses: Readonly<Record<number, number>>; readonly p50Ms: number; readonly p99Ms: number } {
  const statuses: Record<number, number> = {};
  for (const { status } of answers) statuses[status] = (statuses[status] ?? 0) + 1;
  const times = answers.map(({ tookMs }) => tookMs).sort((a, b) => a - b);
  const at = (share: number): number => times[Math.floor(times.length * share)] ?? 0;
  return { statuses, p50Ms: at(0.5), p99Ms: at(0.99) };
}
