import { jest } from '@jest/globals';
import { createLogger } from '@sluice/platform';
import type { DecisionStore } from '../store/decision-store.js';
import { StoreCare } from './store-care.js';

interface Tended {
  readonly care: StoreCare;
  readonly calls: () => number;
  finish(): void;
}

function tended(): Tended {
  let calls = 0;
  let finish: () => void = () => undefined;
  const tend: DecisionStore['tend'] = () => {
    calls += 1;
    return new Promise((resolve) => {
      finish = resolve;
    });
  };
  const store = { tend } as Pick<DecisionStore, 'tend'> as DecisionStore;
  return { care: new StoreCare(store, createLogger({ app: 'test', level: 'silent' })), calls: () => calls, finish: () => finish() };
}

describe('R81 the care of the store', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('comes once a minute, never twice at a time, and ends with the app after what is under way', async () => {
    const { care, calls, finish } = tended();
    care.onModuleInit();
    await jest.advanceTimersByTimeAsync(59_000);
    expect(calls()).toBe(0);
    await jest.advanceTimersByTimeAsync(181_000);
    expect(calls()).toBe(1);
    finish();
    await jest.advanceTimersByTimeAsync(60_000);
    expect(calls()).toBe(2);
    let ended = false;
    const ending = care.onModuleDestroy().then(() => {
      ended = true;
    });
    await jest.advanceTimersByTimeAsync(120_000);
    expect(ended).toBe(false);
    finish();
    await ending;
    await jest.advanceTimersByTimeAsync(120_000);
    expect(calls()).toBe(2);
  });
});
