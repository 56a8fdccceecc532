import { createLogger } from './create-logger.js';
import { NestLogger } from './nest-logger.js';

function capture(): { readonly lines: string[]; readonly logger: ReturnType<typeof createLogger> } {
  const lines: string[] = [];
  return { lines, logger: createLogger({ app: 'test', level: 'trace', destination: { write: (line) => lines.push(line) } }) };
}

describe('R93 JSON logs', () => {
  it('redacts credentials wherever requests and bodies are logged', () => {
    const { lines, logger } = capture();
    const secrets = { authorization: 'Bearer s3cret', 'x-api-key': 's3cret', cookie: 's3cret' };
    logger.info({ headers: secrets, req: { headers: secrets }, res: { headers: { 'set-cookie': 's3cret' } }, secret: 's3cret', body: { secret: 's3cret', token: 's3cret' }, ...secrets }, 'x');
    expect(lines.join('')).not.toContain('s3cret');
    expect(lines.join('')).toContain('[redacted]');
  });

  it('writes one line an entry with ISO time, level by name and the app', () => {
    const { lines, logger } = capture();
    logger.warn('multi\nline');
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'warn', app: 'test', msg: 'multi\nline', time: expect.stringMatching(/^\d{4}-.*Z$/) });
  });

  it("takes Nest's messages, with context and stack", () => {
    const { lines, logger } = capture();
    const nest = new NestLogger(logger);
    nest.error('failed', 'stack of it', 'Router');
    nest.log('mapped', 'Router');
    nest.warn({ odd: true });
    const entries = lines.map((line) => JSON.parse(line) as unknown);
    expect(entries).toEqual([
      expect.objectContaining({ level: 'error', msg: 'failed', context: 'Router', details: ['stack of it'] }),
      expect.objectContaining({ level: 'debug', msg: 'mapped', context: 'Router' }),
      expect.objectContaining({ level: 'warn', msg: '{"odd":true}' }),
    ]);
  });
});
