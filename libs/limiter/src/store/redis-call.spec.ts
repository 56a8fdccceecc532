import { Breakers, type BreakerEvent } from './breakers.js';
import { CallbackCall } from './callback-call.js';
import type { RedisCall } from './redis-call.js';
import { StoreFault } from './store-fault.js';

function bench() {
  const events: BreakerEvent[] = [];
  const breakers = new Breakers({ nowMs: () => 0, random: () => 0.5 }, (event) => events.push(event));
  const answers: unknown[] = [];
  const late: unknown[] = [];
  const call = (): RedisCall<string> => {
    const trip = breakers.depart('a');
    if (trip === undefined) throw new Error('left alone');
    const made = new CallbackCall<string>((answer) => answers.push(answer), (value) => late.push(value));
    made.board(trip);
    trip.leave();
    return made;
  };
  return { breakers, events, answers, late, call };
}

describe('R40 a call in the air', () => {
  it.each([
    ['OOM command not allowed', 'open'],
    ['READONLY You can not write', 'open'],
    ['TRYAGAIN Multiple keys request during rehashing of slot', 'fine'],
    ['Too many Cluster redirections. Last error: TRYAGAIN', 'fine'],
    ['WRONGTYPE Operation against a key', 'fine'],
    ['ERR user_script:12: attempt to compare nil with number script: 8c1, on @user_script:12.', 'fine'],
    ['ERR Error running script (call to f_8c1): @user_script:12: user_script:12: attempt to compare nil with number', 'fine'],
    ['ERR Error running script (call to f_8c1): @user_script:12: @user_script: 12: -OOM command not allowed', 'open'],
    ["ERR The user executing the script can't run this command or subcommand script: 8c1, on @user_script:12.", 'open'],
  ])('that ends with %s five times leaves the server %s', (message, state) => {
    const { breakers, answers, call } = bench();
    for (let times = 0; times < 5; times += 1) call().rejected(new Error(message));
    expect(answers).toEqual(Array(5).fill(expect.any(StoreFault)));
    expect(breakers.stateOf('a')).toBe(state);
  });

  it('R41 that opens the breaker says why, without what was sent', () => {
    const { events, call } = bench();
    for (let times = 0; times < 5; times += 1) call().rejected(new Error("ERR unknown command 'hset', with args beginning with: 's{secret}'"));
    expect(events).toEqual([{ server: 'a', state: 'open', reason: { kind: 'unavailable', message: "ERR unknown command 'hset'" } }]);
  });

  it('known failure 26: that is answered after its time tells its caller nothing more, but what was granted is not forgotten', () => {
    const { answers, late, call } = bench();
    const one = call();
    const fault = new StoreFault('timeout', 'too late');
    one.expire(fault);
    expect(one.abandoned).toBe(true);
    one.resolved('granted');
    expect([answers, late]).toEqual([[fault], ['granted']]);
  });

  it('that was answered in time hears of no end but that', () => {
    const { answers, late, call } = bench();
    const one = call();
    one.resolved('granted');
    one.expire(new StoreFault('timeout', 'too late'));
    one.rejected(new Error('gone'));
    expect([answers, late]).toEqual([['granted'], []]);
  });
});
