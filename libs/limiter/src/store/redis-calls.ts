import { keySlot, sendScript, slotsRefreshed, type CallEnd, type ScriptClient, type ScriptCommand } from '@sluice/lua-scripts';
import type { Cluster, Redis } from 'ioredis';
import type { ServerState } from './breaker.js';
import type { Breakers } from './breakers.js';
import { Deadlines } from './deadlines.js';
import { CallbackCall } from './callback-call.js';
import type { RedisCall } from './redis-call.js';
import type { SilentConnections } from './silent-connections.js';
import { LEFT_ALONE, type StoreFault } from './store-fault.js';
import type { Trip } from './trip.js';

/** Where a call goes while the client does not know who has its slot. */
const CLUSTER = 'cluster';

const UNHEARD: CallEnd<unknown> = { abandoned: false, resolved: () => undefined, rejected: () => undefined };

/** Calls of scripts on their way: those of one tick go to each server together, none waits for a server that is left alone (R22, R40). */
export class RedisCalls {
  /**
   * Trips that this tick's calls may still join, one a server. No Map: a cleared one hangs on to the one before it, and once the collector has taken
   * one of them for old it keeps all that come after.
   */
  private boarding: Trip[] = [];
  private readonly deadlines: Deadlines;
  private readonly only: string;

  constructor(
    private readonly client: ScriptClient,
    private readonly breakers: Breakers,
    private readonly silent: SilentConnections,
    timeoutMs: number,
  ) {
    const { host = 'localhost', port = 6379 } = client.isCluster ? {} : (client as Redis).options;
    this.only = `${host}:${port}`;
    this.deadlines = new Deadlines(timeoutMs, ({ probe }) => {
      // A server that hangs says nobody that another one took over from it: the others are asked.
      if (probe && client.isCluster) void slotsRefreshed(client as Cluster);
    });
    // A server from which another one took over is not asked again, so it would stay given up for ever.
    if (client.isCluster) client.on('refresh', () => breakers.keep((server) => server === CLUSTER || (client as Cluster).slots.some(([owner]) => owner === server)));
  }

  stateOf(key: string): ServerState {
    return this.breakers.calm ? 'fine' : this.breakers.stateOf(this.serverOf(key));
  }

  /** The call is answered exactly once: at once when the server is left alone, else with its answer or, at the timeout, a fault. */
  send<T>(command: ScriptCommand<T>, call: RedisCall<T>): void {
    const trip = this.board(this.client.isCluster ? this.serverOf(command.keys[0] ?? '') : this.only);
    if (trip === undefined) {
      call.answered(LEFT_ALONE);
      return;
    }
    call.board(trip);
    sendScript(this.client, command, call);
  }

  /** The answer to one command. */
  answer<T>(command: ScriptCommand<T>, late?: (value: T) => void): Promise<T | StoreFault> {
    return new Promise((resolve) => this.send(command, new CallbackCall(resolve, late)));
  }

  /** Answers in the order of the commands. An answer that comes after its time goes to `late`, with the command's place. */
  sendAll<T>(commands: readonly ScriptCommand<T>[], late?: (value: T, at: number) => void): Promise<readonly (T | StoreFault)[]> {
    if (commands.length === 0) return Promise.resolve([]);
    return new Promise((resolve) => {
      const answers: (T | StoreFault)[] = [];
      let missing = commands.length;
      commands.forEach((command, at) => {
        const answered = (answer: T | StoreFault): void => {
          answers[at] = answer;
          missing -= 1;
          if (missing === 0) resolve(answers);
        };
        this.send(command, new CallbackCall(answered, late === undefined ? undefined : (value) => late(value, at)));
      });
    });
  }

  /** Sends what nobody waits for, also to a server that is left alone: only in answer to something that it sent. */
  post(command: ScriptCommand<unknown>): void {
    sendScript(this.client, command, UNHEARD);
  }

  close(): void {
    this.silent.close();
    this.deadlines.close();
  }

  private board(server: string): Trip | undefined {
    for (const joined of this.boarding) if (joined.server === server && !joined.probe) return joined;
    const trip = this.breakers.depart(server);
    if (trip === undefined) return undefined;
    if (!this.breakers.calm) this.silent.departs(server, trip.probe);
    if (this.boarding.push(trip) === 1) process.nextTick(this.depart);
    return trip;
  }

  private readonly depart = (): void => {
    const trips = this.boarding;
    this.boarding = [];
    for (const trip of trips) if (trip.leave()) this.deadlines.watch(trip);
  };

  /** The server that has the key, as far as the client knows. */
  private serverOf(key: string): string {
    return this.client.isCluster ? ((this.client as Cluster).slots[keySlot(key)]?.[0] ?? CLUSTER) : this.only;
  }
}
