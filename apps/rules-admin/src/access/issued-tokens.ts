import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Logger } from '@sluice/platform';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RulesAdminConfig } from '../config.js';
import { DatabaseConnection } from '../database/database-connection.js';
import { SidePool } from '../database/side-pool.js';
import { SharedReads } from '../snapshot/shared-reads.js';
import { CONFIG, LOGGER } from '../tokens.js';
import { readTokens, type TokenList } from './read-tokens.js';
import type { Role } from './role.js';

/** How often each replica looks whether tokens changed. */
const LOOK_MS = 1_000;

/** A revoked token opens nothing any more after this, on no replica, whatever fails; but see `Authenticator` for nodes. */
export const REVOKED_WITHIN_MS = 5_000;

/** What is known of an issued token. */
export interface IssuedToken {
  readonly name: string;
  readonly role: Role;
  readonly tenantId: string | null;
  readonly expiresAt: Date | null;
  readonly expired: boolean;
}

/**
 * The tokens that the API issued, by hash, in memory: there are few, a request costs no query, and a guess costs none either beyond what `FailureLimit` lets through. Found by their
 * hash in a map: how long that takes tells of a hash that nobody can aim at, since it is one-way, so that no constant time is needed.
 */
@Injectable()
export class IssuedTokens implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly stopping = new AbortController();
  private readonly pool: SidePool;
  private readonly reads = new SharedReads(() => this.read());
  private list: TokenList | undefined;
  private confirmedAtMs = -Infinity;
  private looking: Promise<void> = Promise.resolve();

  constructor(
    private readonly database: DatabaseConnection,
    @Inject(CONFIG) config: RulesAdminConfig,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.pool = new SidePool({ url: config.databaseUrl, name: 'tokens', size: 1, logger });
  }

  onApplicationBootstrap(): void {
    void this.database.ready.then(() => {
      this.looking = this.look();
    });
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await this.looking;
    await this.pool.close();
  }

  /** The token with this hash, as far as this process knows. */
  find(hash: string): IssuedToken | undefined {
    const token = this.list?.tokens.get(hash);
    if (token === undefined) return undefined;
    return { ...token, expired: performance.now() >= token.expiresAtMs };
  }

  /** Whether the list is too old to rule out that a token on it was revoked. */
  get isOutdated(): boolean {
    return performance.now() - this.confirmedAtMs > REVOKED_WITHIN_MS;
  }

  /** Knows all tokens that were issued before the call, and none that were revoked. @returns whether that could be had */
  async refresh(): Promise<boolean> {
    try {
      await this.reads.read();
      return true;
    } catch (error) {
      this.logger.debug({ err: error }, 'tokens could not be read');
      return false;
    }
  }

  private async look(): Promise<void> {
    const { signal } = this.stopping;
    let failing = false;
    while (!signal.aborted) {
      const failed = !(await this.refresh());
      if (failed && !failing) this.logger.warn('tokens cannot be looked after; those that are known open what can be had without the database');
      failing = failed;
      await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  private async read(): Promise<void> {
    this.database.assertReady();
    const askedAtMs = performance.now();
    this.list = await this.pool.use((client) => readTokens(client, this.list));
    this.confirmedAtMs = askedAtMs;
  }
}
