import { loadStandaloneConfig } from '@sluice-app/standalone';
import { createLogger, runMain, stopOnSignal } from '@sluice/platform';
import { startStack } from './start-stack.js';

runMain(async () => {
  const config = loadStandaloneConfig(process.env);
  const giveUp = new AbortController();
  const { signal: stopping } = giveUp;
  const starting = startStack(config, stopping);
  stopOnSignal({
    logger: createLogger({ app: 'stack', level: config.logLevel }),
    close: async () => {
      giveUp.abort();
      const stack = await starting.catch(() => undefined);
      await stack?.close();
    },
  });
  const stack = await starting.catch((error: unknown) => {
    if (stopping.aborted) return undefined;
    throw error;
  });
  if (stack === undefined || stopping.aborted) return;
  process.stdout.write(stack.banner);
  const lost = await stack.appLost;
  if (stopping.aborted) return;
  process.stderr.write(`${lost}\n`);
  await stack.close().catch((error: unknown) => process.stderr.write(`${String(error)}\n`));
  process.exit(1);
});
