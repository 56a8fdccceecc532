import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { ConfigError, type Logger, StartError } from '@sluice/platform';
import { pino } from 'pino';
import { type RunningLog, startLog } from './support/running-log.js';
import { type ScriptedAuthority, startAuthority } from './support/scripted-authority.js';

describe('the start of the decision log', () => {
  let authority: ScriptedAuthority;
  let dir: string;
  let lines: string[];
  let logger: Logger;

  beforeEach(async () => {
    authority = await startAuthority({ viewer: { role: 'viewer' } });
    dir = await mkdtemp(join(tmpdir(), 'sluice-start-'));
    lines = [];
    logger = pino({ level: 'error' }, new Writable({ write: (chunk, _encoding, done) => (lines.push(String(chunk)), done()) }));
  });
  afterEach(async () => {
    await authority.close();
    await rm(dir, { recursive: true, force: true });
  });

  it('lists what is wrong with the file of abuse patterns, and that alone', async () => {
    const file = join(dir, 'abuse.yaml');
    await writeFile(file, 'patterns:\n  - { id: a, kind: refusals, threshold: -1, window_seconds: 60 }\n  - { id: b, kind: no-such }\n');
    const fault: unknown = await startLog(authority.url, { env: { SLUICE_ABUSE_FILE: file }, logger }).catch((error: unknown) => error);
    expect(fault).toBeInstanceOf(ConfigError);
    expect(lines).toEqual([]);
  });

  it('says in one place that its port is taken', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const address = taken.address();
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
    const fault: unknown = await startLog(authority.url, { env: { SLUICE_DECISION_LOG_PORT: String(port) }, logger }).catch((error: unknown) => error);
    taken.close();
    expect(fault).toBeInstanceOf(StartError);
    expect(lines).toEqual([]);
  });

  it('answers nothing under /v1 that a cache may keep, and says in /readyz that the store answers', async () => {
    const log: RunningLog = await startLog(authority.url);
    try {
      const paths = ['/v1/decisions', '/v1/usage', '/v1/abuse', '/v1/abuse/findings', '/v1/abuse/findings/nobody', '/v1/backtests', '/v1/backtests/nobody', '/v1/decisions?limit=0'];
      for (const path of paths) expect([path, (await log.get(path)).headers.get('cache-control')]).toEqual([path, 'no-store']);
      expect((await log.get('/v1/abuse', null)).headers.get('cache-control')).toBe('no-store');
      expect((await log.get('/readyz', null)).body).toMatchObject({ status: 'ready', checks: { store: { ok: true } } });
    } finally {
      await log.close();
    }
  });
});
