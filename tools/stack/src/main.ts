import { STANDALONE_CONFIG, StartError } from '@sluice-app/standalone';
import { ConfigError, createLogger, loadConfig, stopOnSignal } from '@sluice/platform';
import { startStack } from './start-stack.js';

async function main(): Promise<void> {
  const config = loadConfig(STANDALONE_CONFIG, process.env);
  const giveUp = new AbortController();
  const starting = startStack(config, giveUp.signal);
  stopOnSignal({
    logger: createLogger({ app: 'stack', level: config.logLevel }),
    close: async () => {
      giveUp.abort();
      const stack = await starting.catch(() => undefined);
      await stack?.close();
    },
  });
  const stack = await starting.catch((error: unknown) => {
    if (giveUp.signal.aborted) return undefined;
    throw error;
  });
  if (stack === undefined || giveUp.signal.aborted) return;
  process.stdout.write(stack.banner);
  const lost = await stack.appLost;
  if (giveUp.signal.aborted) return;
  process.stderr.write(`${lost}\n`);
  await stack.close().catch((error: unknown) => process.stderr.write(`${String(error)}\n`));
  process.exit(1);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof ConfigError || error instanceof StartError ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exit(1);
});
