// Runs nodes of a fleet as a process of their own, on the sources: Node strips the types.
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
await import('./worker.ts');
