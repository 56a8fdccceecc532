import type { LoggerService } from '@nestjs/common';
import type { Logger } from 'pino';

/** What `listen` rejects with: Nest logs that too, and whoever called says it in words of its own. */
const LISTEN_FAULT = /^Error: (?:listen|getaddrinfo) E/;

type Level = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace';

/**
 * Nest's own messages as pino lines. Nest keeps one logger for the whole process: where several apps share a process, the last
 * one created has it, so that an app's own code logs through its pino logger and not through Nest's.
 */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, ...rest: unknown[]): void {
    // What Nest calls "log" is every module and route at each start.
    this.write('debug', message, rest);
  }

  fatal(message: unknown, ...rest: unknown[]): void {
    this.write('fatal', message, rest);
  }

  error(message: unknown, ...rest: unknown[]): void {
    if (rest.at(-1) === 'NestApplication' && typeof message === 'string' && LISTEN_FAULT.test(message)) return;
    this.write('error', message, rest);
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.write('warn', message, rest);
  }

  debug(message: unknown, ...rest: unknown[]): void {
    this.write('debug', message, rest);
  }

  verbose(message: unknown, ...rest: unknown[]): void {
    this.write('trace', message, rest);
  }

  /** Nest passes the context last, and a stack before it for errors. */
  private write(level: Level, message: unknown, rest: readonly unknown[]): void {
    const context = typeof rest.at(-1) === 'string' ? rest.at(-1) : undefined;
    const details = context === undefined ? rest : rest.slice(0, -1);
    const fields = { ...(context === undefined ? {} : { context }), ...(details.length > 0 ? { details } : {}) };
    if (message instanceof Error) this.logger[level]({ ...fields, err: message }, message.message);
    else this.logger[level](fields, typeof message === 'string' ? message : JSON.stringify(message));
  }
}
