import { isAboutKeys, keySlot, runScripts, type ScriptClient, type ScriptCommand } from '@sluice/lua-scripts';
import type { Cluster, Redis } from 'ioredis';
import type { ServerState } from './breaker.js';
import type { Breakers } from './breakers.js';
import { LEFT_ALONE, StoreFault } from './store-fault.js';
import { toFault } from './to-fault.js';
import type { Trip } from './trip.js';

/** Where a call goes while the client does not know who has its slot. */
const CLUSTER = 'cluster';

interface Call {
  readonly command: ScriptCommand<unknown>;
  readonly answered: (answer: unknown) => void;
}

/** Calls of scripts on their way: those of one tick go to each server together, none waits for a server that is left alone (R22, R40). */
export class RedisCalls {
  private readonly departing = new Map<Trip, Call[]>();
  private readonly trips = new Map<string, Trip>();

  constructor(
    private readonly client: ScriptClient,
    private readonly breakers: Breakers,
    private readonly timeoutMs: number,
  ) {
    // A server from which another one took over is not asked again, so it would stay given up for ever.
    if (client.isCluster) client.on('refresh', () => breakers.keep((server) => server === CLUSTER || (client as Cluster).slots.some(([owner]) => owner === server)));
  }

  stateOf(key: string): ServerState {
    return this.breakers.stateOf(this.serverOf(key));
  }

  /** Calls `answered` exactly once: at once when the server is left alone, else with its answer or, at the timeout, a fault. */
  send<T>(command: ScriptCommand<T>, answered: (answer: T | StoreFault) => void): void {
    const trip = this.board(this.serverOf(command.keys[0] ?? ''));
    if (trip === undefined) {
      answered(LEFT_ALONE);
      return;
    }
    trip.add();
    // A decoder answers what its own command says.
    this.departing.get(trip)?.push({ command, answered: (answer) => answered(answer as T | StoreFault) });
  }

  /** Answers in the order of the commands. */
  sendAll<T>(commands: readonly ScriptCommand<T>[]): Promise<readonly (T | StoreFault)[]> {
    if (commands.length === 0) return Promise.resolve([]);
    return new Promise((resolve) => {
      const answers: (T | StoreFault)[] = [];
      let missing = commands.length;
      commands.forEach((command, at) => {
        this.send(command, (answer) => {
          answers[at] = answer;
          missing -= 1;
          if (missing === 0) resolve(answers);
        });
      });
    });
  }

  private board(server: string): Trip | undefined {
    const joined = this.trips.get(server);
    if (joined !== undefined && !joined.probe) return joined;
    const trip = this.breakers.depart(server);
    if (trip === undefined) return undefined;
    if (this.departing.size === 0) queueMicrotask(() => this.depart());
    this.departing.set(trip, []);
    this.trips.set(server, trip);
    return trip;
  }

  private depart(): void {
    const departing = [...this.departing];
    this.departing.clear();
    this.trips.clear();
    for (const [trip, calls] of departing) void this.fly(trip, calls);
  }

  /** No call waits on a dead server: at the timeout every one is a fault, whatever still arrives later. */
  private async fly(trip: Trip, calls: readonly Call[]): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    // What has arrived is read first: where the process itself was held up, the server is not to blame (R45).
    const late = new Promise<undefined>((resolve) => (timer = setTimeout(() => setImmediate(resolve, undefined), this.timeoutMs)));
    const results = await Promise.race([runScripts(this.client, calls.map(({ command }) => command)), late]);
    clearTimeout(timer);
    // A server that hangs says nobody that another one took over from it: the others are asked.
    if (results === undefined && trip.probe && this.client.isCluster) (this.client as Cluster).refreshSlotsCache();
    calls.forEach(({ answered }, at) => {
      const result = results?.[at];
      if (result === undefined) {
        trip.landed(false);
        answered(new StoreFault('timeout', `Redis did not answer within ${this.timeoutMs} ms`));
      } else {
        trip.landed(result.status === 'fulfilled' || isAboutKeys(result.reason));
        answered(result.status === 'fulfilled' ? result.value : toFault(result.reason));
      }
    });
  }

  /** The server that has the key, as far as the client knows. */
  private serverOf(key: string): string {
    if (this.client.isCluster) return (this.client as Cluster).slots[keySlot(key)]?.[0] ?? CLUSTER;
    const { host = 'localhost', port = 6379 } = (this.client as Redis).options;
    return `${host}:${port}`;
  }
}
