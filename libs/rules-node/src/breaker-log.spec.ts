import { setTimeout as sleep } from 'node:timers/promises';
import { BreakerLog } from './breaker-log.js';

const WELL_MS = 60;

describe('R41 the log of a breaker', () => {
  const lines: [fields: object, line: string][] = [];
  let log: BreakerLog;
  beforeEach(() => {
    lines.length = 0;
    log = new BreakerLog({ warn: (fields: object, line?: string) => void lines.push([fields, line ?? '']) }, WELL_MS);
  });
  const said = (): string[] => lines.map(([, line]) => (line.includes('left alone') ? 'given up' : 'back'));

  it('has one line when it opens and one when it has closed', async () => {
    log.take({ server: 'a:1', state: 'open' });
    expect(lines).toEqual([[{ server: 'a:1' }, expect.stringContaining('left alone')]]);
    log.take({ server: 'a:1', state: 'closed' });
    await sleep(3 * WELL_MS);
    expect(lines[1]).toEqual([{ server: 'a:1', duration_ms: expect.any(Number) }, expect.stringContaining('asked again')]);
    expect(said()).toEqual(['given up', 'back']);
  });

  it('says why a server is given up', () => {
    log.take({ server: 'a:1', state: 'open', reason: { kind: 'rejected', message: 'NOPERM this user has no permissions' } });
    expect(lines[0]?.[0]).toEqual({ server: 'a:1', fault: 'rejected', reason: 'NOPERM this user has no permissions' });
  });

  it('has no more of one that flaps', async () => {
    for (let times = 0; times < 10; times += 1) {
      log.take({ server: 'a:1', state: 'open' });
      log.take({ server: 'a:1', state: 'closed' });
      await sleep(5);
    }
    expect(said()).toEqual(['given up']);
    await sleep(3 * WELL_MS);
    expect(said()).toEqual(['given up', 'back']);
  });

  it('keeps servers apart', async () => {
    for (const server of ['a:1', 'b:1']) log.take({ server, state: 'open' });
    log.take({ server: 'b:1', state: 'closed' });
    await sleep(3 * WELL_MS);
    expect(lines.map(([fields]) => fields)).toEqual([{ server: 'a:1' }, { server: 'b:1' }, { server: 'b:1', duration_ms: expect.any(Number) }]);
  });
});
