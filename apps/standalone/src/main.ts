import { ConfigError, createLogger, loadConfig, stopOnSignal } from '@sluice/platform';
import { STANDALONE_CONFIG } from './config.js';
import { startStandalone } from './start-standalone.js';

async function main(): Promise<void> {
  const config = loadConfig(STANDALONE_CONFIG, process.env);
  const logger = createLogger({ app: 'standalone', level: config.logLevel });
  const standalone = await startStandalone(config, logger);
  stopOnSignal({ logger, close: () => standalone.close() });
  process.stdout.write(standalone.banner);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof ConfigError ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exit(1);
});
