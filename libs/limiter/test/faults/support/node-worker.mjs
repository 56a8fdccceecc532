// One TrafficNode in a process of its own; obeys its parent by messages. Runs the sources as they are.
import { registerHooks } from 'node:module';

const libs = new URL('../../../../', import.meta.url);
registerHooks({
  resolve(specifier, context, next) {
    const [, lib] = /^@sluice\/([a-z-]+)$/.exec(specifier) ?? [];
    if (lib !== undefined) return next(new URL(`${lib}/src/index.ts`, libs).href, context);
    const isOwn = context.parentURL?.startsWith(libs.href) && specifier.startsWith('.');
    return next(isOwn ? specifier.replace(/\.js$/, '.ts') : specifier, context);
  },
});
const { TrafficNode } = await import('./traffic-node.ts');

let node;
const acts = {
  open: async ([settings, wait]) => void (node = await TrafficNode.open(settings, wait)),
  start: async () => node.start(),
  healthyMs: async () => node.healthyMs(),
  stop: async () => node.stop(),
};
process.on('message', async ({ act, args }) => {
  try {
    process.send({ value: await acts[act](args) });
  } catch (error) {
    process.send({ error: String(error?.stack ?? error) });
  }
});
process.once('disconnect', () => process.exit(0));
process.send({ value: 'up' });
