import { createLogger } from './create-logger.js';
import { forRequests } from './request-logger.js';

describe('R93 the logger of a request', () => {
  const lines: string[] = [];
  const logger = createLogger({ app: 'test', level: 'info', destination: { write: (line) => lines.push(line) } });
  beforeEach(() => (lines.length = 0));

  it('writes the request id with every entry, and nothing before there is one', () => {
    const log = forRequests(logger).child({ reqId: 'r1' });
    expect(lines).toEqual([]);
    log.info({ a: 1 }, 'said');
    log.debug('not at this level');
    log.error('failed');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([{ reqId: 'r1', a: 1, level: 'info', msg: 'said' }, { reqId: 'r1', level: 'error', msg: 'failed' }]);
  });

  it('is itself the logger that it was', () => {
    forRequests(logger).info('of the app');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([{ app: 'test', level: 'info', msg: 'of the app' }]);
  });

  it('has the levels and the children of any logger', () => {
    const log = forRequests(logger).child({ reqId: 'r1' });
    expect(log.level).toBe('info');
    log.level = 'debug';
    log.debug('now');
    log.child({ part: 'p' }).warn({ authorization: 's3cret' }, 'of the part');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([{ reqId: 'r1', msg: 'now' }, { reqId: 'r1', part: 'p', authorization: '[redacted]' }]);
  });
});
