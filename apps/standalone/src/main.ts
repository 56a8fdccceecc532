import { createLogger, runMain, stopOnSignal } from '@sluice/platform';
import { loadStandaloneConfig } from './config.js';
import { startStandalone } from './start-standalone.js';

runMain(async () => {
  const config = loadStandaloneConfig(process.env);
  const logger = createLogger({ app: 'standalone', level: config.logLevel });
  const giveUp = new AbortController();
  const { signal: stopping } = giveUp;
  const starting = startStandalone(config, logger, stopping);
  // Before it has started: a Ctrl-C in the first seconds must not leave the database behind.
  stopOnSignal({
    logger,
    close: async () => {
      giveUp.abort();
      const standalone = await starting.catch(() => undefined); // Then it has closed what it had started.
      await standalone?.close();
    },
  });
  const standalone = await starting.catch((error: unknown) => {
    if (stopping.aborted) return undefined;
    throw error;
  });
  if (standalone !== undefined && !stopping.aborted) process.stdout.write(standalone.banner);
});
