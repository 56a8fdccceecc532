import { ConfigError, createLogger, loadConfig, stopOnSignal } from '@sluice/platform';
import { STANDALONE_CONFIG } from './config.js';
import { StartError } from './start-error.js';
import { startStandalone } from './start-standalone.js';

async function main(): Promise<void> {
  const config = loadConfig(STANDALONE_CONFIG, process.env);
  const logger = createLogger({ app: 'standalone', level: config.logLevel });
  const starting = startStandalone(config, logger);
  let stopping = false;
  // Before it has started: a Ctrl-C in the first seconds must not leave the database behind.
  stopOnSignal({
    logger,
    close: async () => {
      stopping = true;
      await (await starting).close();
    },
  });
  const { banner } = await starting;
  if (!stopping) process.stdout.write(banner);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof ConfigError || error instanceof StartError ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exit(1);
});
