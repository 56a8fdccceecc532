import type { FastifyBaseLogger } from 'fastify';

type Bindings = Parameters<FastifyBaseLogger['child']>[0];
type Level = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';

/**
 * The log of one request, made when its first line is. Of most requests no line is written, and to make a child of the log costs more than to
 * decide. Methods, not fields: Fastify looks whether they are there.
 */
class RequestLog implements FastifyBaseLogger {
  private made: FastifyBaseLogger | undefined;

  constructor(
    private readonly parent: FastifyBaseLogger,
    private readonly bindings: Bindings,
  ) {}

  get level(): string {
    return this.parent.level;
  }

  child(...args: Parameters<FastifyBaseLogger['child']>): FastifyBaseLogger {
    return this.log().child(...args);
  }

  fatal(...line: unknown[]): void {
    this.write('fatal', line);
  }

  error(...line: unknown[]): void {
    this.write('error', line);
  }

  warn(...line: unknown[]): void {
    this.write('warn', line);
  }

  info(...line: unknown[]): void {
    this.write('info', line);
  }

  debug(...line: unknown[]): void {
    this.write('debug', line);
  }

  trace(...line: unknown[]): void {
    this.write('trace', line);
  }

  silent(...line: unknown[]): void {
    this.write('silent', line);
  }

  private log(): FastifyBaseLogger {
    return (this.made ??= this.parent.child(this.bindings));
  }

  private write(level: Level, line: unknown[]): void {
    const log = this.log();
    Reflect.apply(log[level], log, line);
  }
}

/** Gives each request a {@link RequestLog}; Fastify's `childLoggerFactory`. */
export function requestLogs(logger: FastifyBaseLogger, bindings: Bindings): FastifyBaseLogger {
  return new RequestLog(logger, bindings);
}
