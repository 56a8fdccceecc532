import { StoreUnavailable } from '../store-faults.js';
import { Gate } from './gate.js';

describe('R81 the gate of queries', () => {
  it('lets so many in at once, the others in their order, and turns away those that are too many', async () => {
    const gate = new Gate({ room: 2, maxWaiting: 2, maxWaitMs: 5_000 });
    const entered: number[] = [];
    const leave: (() => void)[] = [];
    const enter = (name: number): Promise<void> =>
      gate.pass(() => {
        entered.push(name);
        return new Promise<void>((resolve) => leave.push(resolve));
      });
    const all = [1, 2, 3, 4].map(enter);
    await expect(enter(5)).rejects.toThrow(StoreUnavailable);
    expect(entered).toEqual([1, 2]);
    for (let name = 0; name < 4; name += 1) {
      leave[name]?.();
      await all[name];
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(entered).toEqual([1, 2, 3, 4]);
    const again = enter(6);
    await new Promise((resolve) => setImmediate(resolve));
    leave[4]?.();
    await again;
    expect(entered.at(-1)).toBe(6);
  });

  it('turns away what waited too long, and lets the others in', async () => {
    const gate = new Gate({ room: 1, maxWaiting: 10, maxWaitMs: 20 });
    let leave = (): void => undefined;
    const first = gate.pass(() => new Promise<void>((resolve) => (leave = resolve)));
    await expect(gate.pass(async () => undefined)).rejects.toThrow(StoreUnavailable);
    leave();
    await first;
    await expect(gate.pass(async () => 'in')).resolves.toBe('in');
  });

  it('gives the place of what failed to the next', async () => {
    const gate = new Gate({ room: 1, maxWaiting: 10, maxWaitMs: 5_000 });
    const failed = gate.pass(async () => {
      throw new Error('the query fails');
    });
    const next = gate.pass(async () => 'in');
    await expect(failed).rejects.toThrow('the query fails');
    await expect(next).resolves.toBe('in');
  });
});
