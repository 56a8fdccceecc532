import type { FastifyBaseLogger } from 'fastify';
import type { Logger } from './create-logger.js';

type Bindings = Parameters<FastifyBaseLogger['child']>[0];
type ChildOptions = Parameters<FastifyBaseLogger['child']>[1];
const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
type Level = (typeof LEVELS)[number];

/**
 * The logger of one request, which is made when the request logs something. Most never do, and a child of pino writes and redacts its
 * bindings when it is made, which took longer than all else that a check does.
 */
class RequestLogger implements FastifyBaseLogger {
  declare readonly trace: FastifyBaseLogger['trace'];
  declare readonly debug: FastifyBaseLogger['debug'];
  declare readonly info: FastifyBaseLogger['info'];
  declare readonly warn: FastifyBaseLogger['warn'];
  declare readonly error: FastifyBaseLogger['error'];
  declare readonly fatal: FastifyBaseLogger['fatal'];
  declare readonly silent: FastifyBaseLogger['silent'];
  private made: FastifyBaseLogger | undefined;

  constructor(
    private readonly parent: FastifyBaseLogger,
    private readonly bindings: Bindings,
    private readonly options: ChildOptions,
  ) {}

  get own(): FastifyBaseLogger {
    return (this.made ??= this.parent.child(this.bindings, this.options));
  }

  get level(): FastifyBaseLogger['level'] {
    return this.own.level;
  }

  set level(level: FastifyBaseLogger['level']) {
    this.own.level = level;
  }

  child(bindings: Bindings, options?: ChildOptions): FastifyBaseLogger {
    return new RequestLogger(this.own, bindings, options);
  }
}

for (const level of LEVELS) {
  Object.defineProperty(RequestLogger.prototype, level, {
    value(this: RequestLogger, ...entry: Parameters<FastifyBaseLogger[Level]>): void {
      this.own[level](...entry);
    },
  });
}

/**
 * A logger that makes a request's when it is asked for a child: for Fastify's `loggerInstance`. Not its `childLoggerFactory`, whose loggers it
 * looks over for every request. As a child of pino does, it inherits all else.
 */
export function forRequests(logger: Logger): Logger {
  const child = (bindings: Bindings, options: ChildOptions): FastifyBaseLogger => new RequestLogger(logger, bindings, options);
  return Object.create(logger, { child: { value: child } }) as Logger;
}
