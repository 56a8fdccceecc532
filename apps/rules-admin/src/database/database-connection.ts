import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { HealthChecks, Logger } from '@sluice/platform';
import { setTimeout as sleep } from 'node:timers/promises';
import { isNativeError } from 'node:util/types';
import { DataSource } from 'typeorm';
import type { RulesAdminConfig } from '../config.js';
import { CONFIG, HEALTH, LOGGER } from '../tokens.js';
import { DatabaseUnavailable } from './database-unavailable.js';
import { migrate } from './migrate.js';

const RETRY_MS = 1_000;

/**
 * Connects in the background: the app starts, and says why it is not ready, while PostgreSQL is away or its schema is not there yet.
 * Once connected, pg's pool heals itself.
 */
@Injectable()
export class DatabaseConnection implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly stopping = new AbortController();
  /** Resolves with the first connection. */
  readonly ready: Promise<void>;
  private becomeReady: () => void = () => undefined;
  private connecting: Promise<void> = Promise.resolve();
  private waitingFor = 'not connected yet';

  constructor(
    private readonly dataSource: DataSource,
    @Inject(CONFIG) private readonly config: RulesAdminConfig,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(HEALTH) health: HealthChecks,
  ) {
    this.ready = new Promise((resolve) => {
      this.becomeReady = resolve;
    });
    health.register('database', () => this.check());
  }

  onApplicationBootstrap(): void {
    this.connecting = this.connect();
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await this.connecting;
    if (this.dataSource.isInitialized) await this.dataSource.destroy();
  }

  /** The data source, once the schema is there. @throws DatabaseUnavailable before */
  get source(): DataSource {
    this.assertReady();
    return this.dataSource;
  }

  /** @throws DatabaseUnavailable until the schema is there */
  assertReady(): void {
    if (!this.dataSource.isInitialized) throw new DatabaseUnavailable(this.waitingFor);
  }

  private async connect(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      try {
        await this.tryConnect();
        this.becomeReady();
        this.logger.info('database connected');
        return;
      } catch (error) {
        if (signal.aborted) return;
        const reason = reasonOf(error);
        if (reason !== this.waitingFor) this.logger.warn({ err: error }, 'database not ready; trying on');
        this.waitingFor = reason;
        await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  private async tryConnect(): Promise<void> {
    if (this.config.migrateOnStart) {
      const ran = await migrate(this.config.databaseUrl, { signal: this.stopping.signal, onWait: () => this.waitForMigration() });
      if (ran.length > 0) this.logger.info({ migrations: ran }, 'database migrated');
    }
    await this.dataSource.initialize();
    if (!this.config.migrateOnStart && (await this.dataSource.showMigrations())) {
      await this.dataSource.destroy();
      throw new DatabaseUnavailable('migrations are pending');
    }
  }

  private waitForMigration(): void {
    this.waitingFor = 'another session holds the migration lock';
    this.logger.info('another session holds the migration lock; waiting for it');
  }

  private async check(): Promise<{ ok: boolean; detail?: string }> {
    if (!this.dataSource.isInitialized) return { ok: false, detail: this.waitingFor };
    try {
      await this.dataSource.query('SELECT 1');
      return { ok: true };
    } catch (error) {
      return { ok: false, detail: reasonOf(error) };
    }
  }
}

/** Why, without addresses or names of users: readiness is open to anyone. The log has the rest. */
function reasonOf(error: unknown): string {
  if (error instanceof DatabaseUnavailable) return error.message;
  const code = isNativeError(error) && 'code' in error && typeof error.code === 'string' ? ` (${error.code})` : '';
  return `the database does not answer${code}`;
}
