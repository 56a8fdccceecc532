import { jest } from '@jest/globals';
import { pino } from 'pino';
import { stopOnSignal } from './stop-on-signal.js';

const logger = pino({ level: 'silent' });

/** Runs with a `process.exit` that only says how it was called. */
async function exitCodeOf(close: () => Promise<unknown>, deadlineMs: number, signals: readonly NodeJS.Signals[]): Promise<number> {
  const before = { SIGTERM: process.listeners('SIGTERM'), SIGINT: process.listeners('SIGINT'), SIGHUP: process.listeners('SIGHUP') };
  let exit: (code: number) => void = () => undefined;
  const exited = new Promise<number>((resolve) => {
    exit = resolve;
  });
  const spy = jest.spyOn(process, 'exit').mockImplementation(((code: number) => exit(code)) as typeof process.exit);
  try {
    stopOnSignal({ logger, close, deadlineMs });
    for (const signal of signals) process.emit(signal, signal);
    return await exited;
  } finally {
    spy.mockRestore();
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
      for (const listener of process.listeners(signal)) if (!before[signal].includes(listener)) process.removeListener(signal, listener);
    }
  }
}

describe('R44 the process ends on SIGTERM, SIGINT and SIGHUP', () => {
  it('with 0 once all is closed; further signals change nothing', async () => {
    let closes = 0;
    const close = async (): Promise<void> => {
      closes += 1;
      await new Promise((resolve) => setTimeout(resolve, 20));
    };
    expect(await exitCodeOf(close, 1_000, ['SIGTERM', 'SIGINT', 'SIGTERM'])).toBe(0);
    expect(closes).toBe(1);
  });

  it('with 1 at the deadline when something does not close, and when closing fails', async () => {
    const started = performance.now();
    expect(await exitCodeOf(() => new Promise(() => undefined), 100, ['SIGHUP'])).toBe(1);
    expect(performance.now() - started).toBeLessThan(1_000);
    expect(await exitCodeOf(() => Promise.reject(new Error('no')), 1_000, ['SIGTERM'])).toBe(1);
  });
});
