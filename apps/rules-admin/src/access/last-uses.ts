import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { Logger } from '@sluice/platform';
import { setInterval } from 'node:timers';
import { DatabaseConnection } from '../database/database-connection.js';
import { LOGGER } from '../tokens.js';

const WRITE_MS = 60_000;

/**
 * When issued tokens were used last. Noted in memory and written once a minute, so that no request waits for it; what a killed process had noted is lost. It
 * is no change of the token: no version, nothing in the log.
 */
@Injectable()
export class LastUses implements OnApplicationBootstrap, OnModuleDestroy {
  /** By hash, since a name may be another token's by then. */
  private uses = new Map<string, number>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly database: DatabaseConnection,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.write(), WRITE_MS).unref();
  }

  /** Before the connections close. */
  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    await this.write();
  }

  note(hash: string): void {
    this.uses.set(hash, performance.now());
  }

  /** Writes what was noted; what cannot be written now is forgotten, since it will be used again or does not matter. */
  async write(): Promise<void> {
    if (this.uses.size === 0) return;
    const uses = this.uses;
    this.uses = new Map();
    const nowMs = performance.now();
    const secondsAgo = [...uses.values()].map((atMs) => (nowMs - atMs) / 1_000);
    try {
      await this.database.source.query(
        `UPDATE admin_token SET last_used_at = greatest(last_used_at, clock_timestamp() - used.seconds_ago * interval '1 second')
         FROM unnest($1::text[], $2::float8[]) AS used (token_sha256, seconds_ago) WHERE admin_token.token_sha256 = used.token_sha256`,
        [[...uses.keys()], secondsAgo],
      );
    } catch (error) {
      this.logger.debug({ err: error }, 'last uses of tokens were not written');
    }
  }
}
