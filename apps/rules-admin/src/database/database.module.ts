import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { RulesAdminConfig } from '../config.js';
import { CONFIG } from '../tokens.js';
import { CommitSignal } from './commit-signal.js';
import { ConfigReader } from './config-reader.js';
import { ConfigWriter } from './config-writer.js';
import { DatabaseConnection } from './database-connection.js';
import { databaseOptions } from './database-options.js';

/** PostgreSQL: how it is reached, and the one way to read and the one way to write. */
@Global()
@Module({
  imports: [
    TypeOrmModule.forRootAsync({
      inject: [CONFIG],
      // DatabaseConnection initialises it in the background; Nest would hold up the start until PostgreSQL is there.
      useFactory: (config: RulesAdminConfig) => ({ ...databaseOptions(config.databaseUrl), manualInitialization: true }),
    }),
  ],
  providers: [DatabaseConnection, CommitSignal, ConfigReader, ConfigWriter],
  exports: [DatabaseConnection, CommitSignal, ConfigReader, ConfigWriter],
})
export class DatabaseModule {}
