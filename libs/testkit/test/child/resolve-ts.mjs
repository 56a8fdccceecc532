// Lets plain node run the library's source: an import of './x.js' finds './x.ts'.
import { registerHooks } from 'node:module';

registerHooks({
  resolve(specifier, context, next) {
    const ours = specifier.startsWith('.') && context.parentURL?.endsWith('.ts') === true;
    return next(ours ? specifier.replace(/\.js$/, '.ts') : specifier, context);
  },
});
