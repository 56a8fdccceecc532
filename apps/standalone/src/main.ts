import { createLogger, loadConfig, runMain, stopOnSignal } from '@sluice/platform';
import { STANDALONE_CONFIG } from './config.js';
import { startStandalone } from './start-standalone.js';

runMain(async () => {
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
});
