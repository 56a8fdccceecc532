// Sends one batch to a cluster and says how it went, as a process of its own: what is unhandled there ends it, as in production.
import { registerHooks } from 'node:module';

const libs = new URL('../../../', import.meta.url);
registerHooks({
  resolve(specifier, context, next) {
    const [, lib] = /^@sluice\/([a-z-]+)$/.exec(specifier) ?? [];
    if (lib !== undefined) return next(new URL(`${lib}/src/index.ts`, libs).href, context);
    const isOwn = context.parentURL?.startsWith(libs.href) && specifier.startsWith('.');
    return next(isOwn ? specifier.replace(/\.js$/, '.ts') : specifier, context);
  },
});
const { quota } = await import('@sluice/algorithms');
const { counterKey, loadScripts, NO_RESEND_CLUSTER, runScripts, takeCommand } = await import('@sluice/lua-scripts');
const { Cluster } = await import('ioredis');

const client = new Cluster(process.argv.slice(2), { ...NO_RESEND_CLUSTER, slotsRefreshTimeout: 5_000 });
client.on('error', () => undefined);
await new Promise((resolve) => client.once('ready', resolve));
await loadScripts(client);
process.send('ready');
await new Promise((resolve) => process.once('message', resolve));
const perHour = quota({ algorithm: 'fixed_window', limit: 100, windowMs: 3_600_000 });
const batch = runScripts(client, Array.from({ length: 60 }, (_, i) => takeCommand(counterKey('loss', [`caller-${i}`]), perHour, 1, 1)));
process.send('sent');
process.send((await batch).map(({ status }) => status));
client.disconnect();
process.disconnect();
