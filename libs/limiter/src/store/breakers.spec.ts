import { Breakers, type BreakerEvent } from './breakers.js';
import type { Trip } from './trip.js';

const call = { expire: (): void => undefined };

function bench() {
  const events: BreakerEvent[] = [];
  const time = { nowMs: 0 };
  const breakers = new Breakers({ nowMs: () => time.nowMs, random: () => 0.5 }, (event) => events.push(event));
  const depart = (server: string): Trip => {
    const trip = breakers.depart(server);
    if (trip === undefined) throw new Error(`${server} is left alone`);
    trip.add(call);
    trip.leave();
    return trip;
  };
  const fail = (server: string, times: number): void => {
    for (let at = 0; at < times; at += 1) depart(server).landed(false);
  };
  return { breakers, events, time, depart, fail };
}

describe('R40 a breaker for each server', () => {
  it('leaves alone the one that failed five trips in a row, and no other', () => {
    const { breakers, events, fail } = bench();
    fail('a', 4);
    expect([breakers.stateOf('a'), breakers.stateOf('b')]).toEqual(['troubled', 'fine']);
    fail('a', 1);
    expect([breakers.stateOf('a'), breakers.stateOf('b')]).toEqual(['open', 'fine']);
    expect(breakers.depart('a')).toBeUndefined();
    expect(breakers.depart('b')).toBeDefined();
    expect(events).toEqual([{ server: 'a', state: 'open', reason: expect.anything() }]);
  });

  it('forgets a server that is not asked any more, and says so', () => {
    const { breakers, events, fail } = bench();
    fail('a', 5);
    fail('b', 5);
    fail('c', 1);
    expect(breakers.opened).toEqual(['a', 'b']);
    breakers.keep((server) => server === 'a');
    expect([breakers.opened, breakers.stateOf('b'), breakers.stateOf('c')]).toEqual([['a'], 'fine', 'fine']);
    expect(events.slice(2)).toEqual([{ server: 'b', state: 'closed' }]);
  });

  it('makes one probe at a time, half a second after the last failure', () => {
    const { breakers, time, depart, fail } = bench();
    fail('a', 5);
    time.nowMs = 499;
    expect(breakers.depart('a')).toBeUndefined();
    time.nowMs = 500;
    expect(breakers.stateOf('a')).toBe('troubled');
    const probe = depart('a');
    expect(probe.probe).toBe(true);
    time.nowMs = 5_000;
    expect([breakers.stateOf('a'), breakers.depart('a')]).toEqual(['open', undefined]);
    probe.landed(false);
    expect(breakers.depart('a')).toBeUndefined();
    time.nowMs = 5_500;
    expect(depart('a').probe).toBe(true);
  });

  it('is not confused by trips that were in the air when it opened', () => {
    const { breakers, events, time, depart, fail } = bench();
    const early = [depart('a'), depart('a')];
    fail('a', 5);
    time.nowMs = 500;
    const probe = depart('a');
    early[0]?.landed(false);
    expect(breakers.depart('a')).toBeUndefined();
    early[1]?.landed(true);
    expect([breakers.stateOf('a'), events.map(({ state }) => state)]).toEqual(['fine', ['open', 'closed']]);
    probe.landed(false);
    expect(breakers.stateOf('a')).toBe('troubled');
  });

  it('takes one answer of a trip for a sign of life', () => {
    const { breakers, depart, fail } = bench();
    fail('a', 4);
    const trip = depart('a');
    trip.add(call);
    trip.landed(true);
    trip.landed(false);
    fail('a', 1);
    expect(breakers.stateOf('a')).toBe('troubled');
    fail('a', 1);
    expect(breakers.stateOf('a')).toBe('open');
  });

  it('makes up for one failed trip by one that succeeds, not for all', () => {
    const { breakers, depart, fail } = bench();
    const trips = (outcomes: string): void => {
      for (const outcome of outcomes) {
        if (outcome === 'x') fail('a', 1);
        else depart('a').landed(true);
      }
    };
    trips('x.x.x.x.x.');
    expect(breakers.stateOf('a')).toBe('fine');
    trips('xx.xx.xx.x');
    expect(breakers.stateOf('a')).toBe('troubled');
    trips('x');
    expect(breakers.stateOf('a')).toBe('open');
  });

  it('counts what fails at once as one trip, however many calls there are in it', () => {
    const { breakers } = bench();
    const trip = breakers.depart('a');
    for (let at = 0; at < 10; at += 1) {
      trip?.add(call);
      trip?.landed(false);
    }
    expect(trip?.leave()).toBe(false);
    expect(breakers.stateOf('a')).toBe('troubled');
  });

  it('spreads the probes of a fleet by a quarter', () => {
    const probeAt = (random: number): number => {
      const time = { nowMs: 0 };
      const breakers = new Breakers({ nowMs: () => time.nowMs, random: () => random }, () => undefined);
      for (let at = 0; at < 5; at += 1) breakers.failed('a', false);
      while (breakers.stateOf('a') === 'open') time.nowMs += 1;
      return time.nowMs;
    };
    expect([probeAt(0), probeAt(1)]).toEqual([375, 625]);
  });
});
