import { type DestinationStream, type Logger, pino } from 'pino';

/** Levels that an app can be told to log at. */
export const LOG_LEVELS = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

const SECRET_NAMES = ['authorization', 'Authorization', 'x-api-key', 'X-Api-Key', 'cookie', 'set-cookie', 'secret', 'token', 'password', 'key_hash', 'decision_id'];

// pino redacts by path and not by name at any depth: the root, and the places where requests, answers and bodies are logged.
const REDACTED = ['', '*.', 'req.headers.', 'res.headers.', '*.*.'].flatMap((prefix) =>
  SECRET_NAMES.map((name) => (/^\w+$/.test(name) ? `${prefix}${name}` : `${prefix.replace(/\.$/, '')}["${name}"]`)),
);

/** What a logger of an app is made with. */
export interface LoggerOptions {
  readonly app: string;
  readonly level: LogLevel;
  /** Standard output unless given. */
  readonly destination?: DestinationStream;
}

/** A JSON logger: one object a line, ISO 8601 time, level by name; secrets are replaced by `[redacted]`. */
export function createLogger({ app, level, destination }: LoggerOptions): Logger {
  const options = {
    level,
    base: { app, pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: REDACTED, censor: '[redacted]' },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}

export type { Logger } from 'pino';
