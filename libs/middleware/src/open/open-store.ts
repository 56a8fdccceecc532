import { type CounterStore, memoryStore, redisStore, systemClock } from '@sluice/limiter';
import type { LimiterProblem } from './open-limiter-options.js';

/** How long a start waits for Redis: the first requests would be decided without it. */
const READY_MS = 2_000;

export interface OpenedStore {
  readonly store: CounterStore;
  /** Whether commands can be sent, and which servers are given up; nothing of one in memory. */
  trouble(): string | undefined;
  close(): Promise<void>;
}

/** Counters in Redis, or in this process. */
export async function openStore(redisUrl: string | readonly string[] | undefined, onProblem: (problem: LimiterProblem) => void): Promise<OpenedStore> {
  if (redisUrl === undefined) return { store: memoryStore(systemClock()), trouble: () => undefined, close: async () => undefined };
  const tell = (message: string): void => onProblem({ kind: 'store', message });
  const store = redisStore({
    url: typeof redisUrl === 'string' ? redisUrl : redisUrl.join(','),
    onError: ({ message }) => tell(`no connection to the counter store: ${message}`),
    onBreaker: ({ server, state, reason }) => {
      if (state !== 'closed') tell(`the server ${server} of the counter store fails (${reason?.message ?? 'no reason given'}) and is left alone; its rules decide by their fallback`);
    },
  });
  await store.ready(READY_MS).catch((error: unknown) => tell(`counters start without Redis: ${String(error)}`));
  return {
    store,
    trouble() {
      if (!store.connected) return 'not connected to the counter store';
      return store.givenUp.length === 0 ? undefined : `${store.givenUp.join(' and ')} of the counter store given up`;
    },
    close: () => store.close(),
  };
}
