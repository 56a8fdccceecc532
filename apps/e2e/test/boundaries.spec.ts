import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');

/** The rules that ESLint says a file of this path and text breaks. */
function faults(path: string, text: string): string[] {
  const args = ['node_modules/eslint/bin/eslint.js', '--stdin', '--stdin-filename', path, '--format', 'json'];
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, input: text, encoding: 'utf8' });
  if (stdout === '') throw new Error(`eslint said nothing: ${stderr}`);
  const [result] = JSON.parse(stdout) as { messages: { ruleId: string | null }[] }[];
  return (result?.messages ?? []).map(({ ruleId }) => ruleId ?? 'not parsed');
}

describe('the boundaries between projects hold', () => {
  const use = 'export const used = [thing];\n';

  it.each([
    ['up, by package name', 'libs/algorithms/src/forbidden.ts', `import { createLimiter as thing } from '@sluice/limiter';\n`],
    ['up, by relative path', 'libs/algorithms/src/forbidden.ts', `import { createLimiter as thing } from '../../limiter/src/index.js';\n`],
    ['from an app to another', 'apps/gateway/src/forbidden.ts', `import { createDecision as thing } from '@sluice-app/decision';\n`],
    ['from shipped code to the test kit', 'libs/limiter/src/forbidden.ts', `import { fakeClock as thing } from '@sluice/testkit';\n`],
  ])('an import that points %s fails', (_what, path, line) => {
    expect(faults(path, line + use)).toEqual(['boundaries/dependencies']);
  }, 60_000);

  it.each(['@nestjs/common', 'typeorm', 'pg', 'kafkajs'])('what runs inside a gateway cannot import %s', (name) => {
    expect(faults('libs/limiter/src/forbidden.ts', `import * as thing from '${name}';\n${use}`)).toEqual(['no-restricted-imports']);
  }, 60_000);

  it('an import that points down passes', () => {
    expect(faults('libs/limiter/src/allowed.ts', `import { mulDiv as thing } from '@sluice/algorithms';\n${use}`)).toEqual([]);
  }, 60_000);
});
