// One Jest for the whole tree: a project per workspace folder, so that one run gives one total
// and the real servers of libs/testkit are started once and shared.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const root = import.meta.dirname;
const projectDirs = ['libs', 'apps', 'tools'].flatMap((group) =>
  readdirSync(join(root, group))
    .map((name) => join(group, name))
    .filter((dir) => existsSync(join(root, dir, 'package.json'))),
);

const swc = {
  jsc: {
    parser: { syntax: 'typescript', decorators: true },
    target: 'es2023',
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
    keepClassNames: true,
  },
  module: { type: 'es6' },
  sourceMaps: 'inline',
};

/** @type {import('jest').Config} */
export default {
  maxWorkers: 2,
  // What hangs is found all the same; five seconds are nothing on a machine that is shared.
  testTimeout: 30_000,
  globalSetup: join(root, 'libs/testkit/jest/global-setup.mjs'),
  globalTeardown: join(root, 'libs/testkit/jest/global-teardown.mjs'),
  projects: projectDirs.map((dir) => ({
    displayName: dir.split('/')[1],
    rootDir: join(root, dir),
    testEnvironment: 'node',
    testMatch: ['<rootDir>/src/**/*.spec.ts', '<rootDir>/test/**/*.spec.ts'],
    extensionsToTreatAsEsm: ['.ts'],
    transform: { '^.+\\.ts$': ['@swc/jest', swc] },
    moduleNameMapper: {
      '^(\\.{1,2}/.*)\\.js$': '$1',
      '^@sluice/([a-z-]+)$': join(root, 'libs/$1/src/index.ts'),
      '^@sluice/algorithms/contract$': join(root, 'libs/algorithms/src/contract/index.ts'),
      '^@sluice/middleware/(express|fastify|nest)$': join(root, 'libs/middleware/src/$1/index.ts'),
      '^@sluice-example/([a-z-]+)$': join(root, 'examples/$1/src/index.ts'),
      '^@sluice-app/([a-z-]+)$': join(root, 'apps/$1/src/index.ts'),
    },
  })),
};
