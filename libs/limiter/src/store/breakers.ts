import { Breaker, type BreakerSources, type ServerState } from './breaker.js';
import { LEFT_ALONE, type StoreFault } from './store-fault.js';
import { reasonOf, type FaultReason } from './fault-reason.js';
import { Trip } from './trip.js';

/** A server was given up; or it answers again, or is not asked any more. */
export interface BreakerEvent {
  /** `host:port` of the server, or of a cluster's master. */
  readonly server: string;
  readonly state: 'open' | 'closed';
  /** Of a server that is given up: what the last call came to. */
  readonly reason?: FaultReason;
}

/**
 * A breaker for each server behind one store (R40): one part of a cluster that hangs is left alone while the others are asked. Only
 * servers in trouble have one, so that a healthy store pays a look at an empty map.
 */
export class Breakers {
  private readonly troubled = new Map<string, Breaker>();

  constructor(
    private readonly sources: BreakerSources,
    private readonly onBreaker: (event: BreakerEvent) => void,
  ) {}

  /** No server is in trouble. */
  get calm(): boolean {
    return this.troubled.size === 0;
  }

  /** The servers that are given up. */
  get opened(): readonly string[] {
    return [...this.troubled].flatMap(([server, breaker]) => (breaker.opened ? [server] : []));
  }

  stateOf(server: string): ServerState {
    return this.troubled.get(server)?.state ?? 'fine';
  }

  /** A trip to this server begins; undefined when it is left alone just now. */
  depart(server: string): Trip | undefined {
    const breaker = this.troubled.size === 0 ? undefined : this.troubled.get(server);
    if (breaker?.state === 'open') return undefined;
    return new Trip(this, server, breaker?.departs() ?? false);
  }

  succeeded(server: string): void {
    if (this.troubled.size === 0) return;
    const breaker = this.troubled.get(server);
    if (breaker === undefined) return;
    const { opened } = breaker;
    breaker.succeeded();
    if (breaker.state === 'fine') this.troubled.delete(server);
    if (opened) this.onBreaker({ server, state: 'closed' });
  }

  failed(server: string, probe: boolean, fault: StoreFault = LEFT_ALONE): void {
    let breaker = this.troubled.get(server);
    if (breaker === undefined) this.troubled.set(server, (breaker = new Breaker(this.sources)));
    const { opened } = breaker;
    breaker.failed(probe);
    if (breaker.opened && !opened) this.onBreaker({ server, state: 'open', reason: reasonOf(fault) });
  }

  /** Forgets the servers of which `asked` says that they are not asked any more. */
  keep(asked: (server: string) => boolean): void {
    for (const [server, { opened }] of this.troubled) {
      if (asked(server)) continue;
      this.troubled.delete(server);
      if (opened) this.onBreaker({ server, state: 'closed' });
    }
  }
}
