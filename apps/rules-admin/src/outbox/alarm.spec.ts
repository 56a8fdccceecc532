import { Alarm } from './alarm.js';

const LONG_MS = 60_000;

/** How long a wait takes, ms. */
async function waited(alarm: Alarm, ms: number): Promise<number> {
  const startedMs = performance.now();
  await alarm.wait(ms);
  return performance.now() - startedMs;
}

describe('R55 the pause of the relay', () => {
  it('takes its time, unless it is cut short', async () => {
    const alarm = new Alarm();
    expect(await waited(alarm, 40)).toBeGreaterThan(35);
    setTimeout(() => alarm.ring(), 10);
    expect(await waited(alarm, LONG_MS)).toBeLessThan(LONG_MS / 10);
  });

  it('a ring while nobody waits is not lost, and many are one', async () => {
    const alarm = new Alarm();
    for (let rings = 0; rings < 3; rings += 1) alarm.ring();
    expect(await waited(alarm, LONG_MS)).toBeLessThan(LONG_MS / 10);
    expect(await waited(alarm, 40)).toBeGreaterThan(35);
  });

  it('a ring that ended one wait does not end the next', async () => {
    const alarm = new Alarm();
    setTimeout(() => alarm.ring(), 10);
    await alarm.wait(LONG_MS);
    expect(await waited(alarm, 40)).toBeGreaterThan(35);
  });
});
