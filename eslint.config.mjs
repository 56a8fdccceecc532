// Lint rules and, by the tags of each project's package.json, the boundaries between projects (ARCHITECTURE, "Tree").
import js from '@eslint/js';
import boundaries from 'eslint-plugin-boundaries';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import tseslint from 'typescript-eslint';

const root = import.meta.dirname;

/** Which layers a layer may import. A layer that is not named here may import nothing of ours. */
const LAYERS = {
  'layer:pure': ['layer:pure'],
  'layer:scripts': ['layer:pure'],
  'layer:engine': ['layer:scripts', 'layer:pure'],
  'layer:edge': ['layer:engine', 'layer:scripts', 'layer:pure'],
  'layer:skin': ['layer:edge', 'layer:engine', 'layer:scripts', 'layer:pure'],
  'layer:protocol': ['layer:skin', 'layer:edge', 'layer:engine', 'layer:scripts', 'layer:pure'],
  'layer:node': ['layer:skin', 'layer:edge', 'layer:engine', 'layer:scripts', 'layer:pure'],
  'layer:app': ['layer:node', 'layer:protocol', 'layer:skin', 'layer:edge', 'layer:engine', 'layer:scripts', 'layer:pure'],
  'layer:composition': ['layer:host', 'layer:app', 'layer:node', 'layer:protocol', 'layer:skin', 'layer:edge', 'layer:engine', 'layer:scripts', 'layer:pure'],
  'layer:example': ['layer:skin'],
  'layer:e2e': ['layer:host', 'layer:composition', 'layer:example', 'layer:app', 'layer:node', 'layer:protocol', 'layer:skin', 'layer:edge', 'layer:engine', 'layer:scripts', 'layer:pure'],
  'layer:tool': ['layer:composition', 'layer:test', 'layer:protocol', 'layer:skin', 'layer:edge', 'layer:engine', 'layer:scripts', 'layer:pure'],
  'layer:host': [],
  'layer:test': ['layer:host'],
};

/** What runs inside somebody's gateway carries none of the services' frameworks. */
/** What carries none of it but the framework that it is a skin of. */
const NEST_SKIN = 'libs/middleware/src/nest/**';
const NOT_EMBEDDED = ['@nestjs/*', 'typeorm', 'pg', 'kafkajs', 'class-validator', 'class-transformer'];

const projects = ['libs', 'apps', 'tools', 'examples'].filter((group) => existsSync(join(root, group))).flatMap((group) =>
  readdirSync(join(root, group))
    .map((name) => ({ dir: `${group}/${name}`, manifest: join(root, group, name, 'package.json') }))
    .filter(({ manifest }) => existsSync(manifest))
    .map(({ dir, manifest }) => ({ dir, tags: JSON.parse(readFileSync(manifest, 'utf8')).nx?.tags ?? [] })),
);
const typeOf = (dir) => dir.replace('/', ':');
const layerOf = ({ tags }) => tags.find((tag) => tag.startsWith('layer:'));

const policies = projects.flatMap((from) => {
  const allowed = projects.filter((to) => to.dir === from.dir || (LAYERS[layerOf(from)] ?? []).includes(layerOf(to)));
  return {
    from: { element: { type: typeOf(from.dir) } },
    allow: { to: { element: { types: { anyOf: allowed.map(({ dir }) => typeOf(dir)) } } } },
  };
});

const testing = { from: { file: { categories: 'test' } }, allow: { to: { element: { types: { anyOf: projects.filter((p) => ['layer:test', 'layer:engine', 'layer:pure', 'layer:scripts'].includes(layerOf(p))).map(({ dir }) => typeOf(dir)) } } } } };

export default tseslint.config(
  { ignores: ['**/dist/**', '**/node_modules/**', '**/generated/**', '.nx/**', '.sluice/**'] },
  js.configs.recommended,
  ...tseslint.configs.recommended,
  {
    files: ['**/*.ts'],
    languageOptions: { parserOptions: { emitDecoratorMetadata: true, experimentalDecorators: true } },
    plugins: { boundaries },
    settings: {
      'boundaries/root-path': root,
      'boundaries/elements': projects.map(({ dir }) => ({ type: typeOf(dir), pattern: dir })),
      'boundaries/files': [{ category: 'test', pattern: ['**/*.spec.ts', '**/test/**/*.ts'] }],
      'import/resolver': { typescript: { project: join(root, 'tsconfig.json'), alwaysTryTypes: true } },
    },
    rules: {
      'boundaries/dependencies': ['error', { default: 'disallow', policies: [{ allow: { to: { module: { origin: ['external', 'core'] } } } }, ...policies, testing] }],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports', disallowTypeAnnotations: false }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      'max-lines': ['error', { max: 250, skipBlankLines: false, skipComments: false }],
      'no-restricted-syntax': ['error', { selector: 'ExportAllDeclaration', message: 'List the names: an index.ts is the table of contents of its lib.' }],
    },
  },
  { files: ['**/*.spec.ts', '**/test/**/*.ts', '**/contract/**/*.ts'], rules: { 'max-lines': 'off', '@typescript-eslint/no-non-null-assertion': 'off' } },
  { files: ['**/migrations/*.ts'], rules: { 'max-lines': 'off' } },
  ...projects
    .filter(({ tags }) => tags.includes('runs:embedded'))
    .map(({ dir }) => ({
      files: [`${dir}/src/**/*.ts`],
      ignores: ['**/*.spec.ts', NEST_SKIN],
      rules: { 'no-restricted-imports': ['error', { patterns: [{ group: NOT_EMBEDDED, message: 'This runs inside a gateway: no service framework here.' }] }] },
    })),
  { files: ['**/*.mjs', '**/*.js'], languageOptions: { globals: { process: 'readonly', console: 'readonly', URL: 'readonly', Buffer: 'readonly', setTimeout: 'readonly', setInterval: 'readonly', clearInterval: 'readonly', clearTimeout: 'readonly' } } },
);
