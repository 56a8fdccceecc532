// Runs the embedded store as a process of its own, on the sources: Node strips the types.
import { registerHooks } from 'node:module';

const root = new URL('../../../../../', import.meta.url);
// Of the platform the store needs one class, and the rest of it has decorators, which stripping leaves in.
const entries = { events: 'libs/events/src/index.ts', platform: 'libs/platform/src/app/start-error.ts' };
registerHooks({
  resolve(specifier, context, next) {
    const entry = entries[/^@sluice\/([a-z-]+)$/.exec(specifier)?.[1] ?? ''];
    if (entry !== undefined) return next(new URL(entry, root).href, context);
    const ours = specifier.startsWith('.') && context.parentURL?.endsWith('.ts') === true;
    return next(ours ? specifier.replace(/\.js$/, '.ts') : specifier, context);
  },
});
await import('./worker.ts');
