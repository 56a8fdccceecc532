import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');

/** What is not there yet, and why; whatever comes takes itself off this list. */
const LATER: Readonly<Record<string, string>> = {
  R15: 'limits on requests in flight come with the protocols',
  R64: 'the command line comes with the chart',
  R83: 'dashboards',
  R85: 'several regions',
  R86: 'several regions',
  R87: 'several regions',
  R88: 'several regions',
  R91: 'images',
  R92: 'the chart',
  R95: 'peers are measured last',
};

const range = (from: number, to: number): readonly string[] => Array.from({ length: to - from + 1 }, (_value, at) => `R${from + at}`);
const ALL = [...range(1, 15), ...range(20, 30), ...range(40, 45), ...range(50, 64), ...range(70, 77), ...range(80, 88), ...range(90, 95)];

function* specsUnder(folder: string): Iterable<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.name === 'node_modules' || entry.name === 'dist') continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* specsUnder(path);
    else if (entry.name.endsWith('.spec.ts')) yield path;
  }
}

/** The requirements that the title of a suite or a test names, by the file that it is in. */
function namedRequirements(): ReadonlyMap<string, readonly string[]> {
  const named = new Map<string, string[]>();
  for (const folder of ['apps', 'libs', 'tools']) {
    for (const path of specsUnder(join(root, folder))) {
      const lines = readFileSync(path, 'utf8').split('\n').filter((line) => /^\s*(?:(?:describe|it|test)\b|\].*\()/.test(line));
      for (const [requirement] of lines.join('\n').matchAll(/\bR\d{1,2}\b/g)) named.set(requirement, [...(named.get(requirement) ?? []), path]);
    }
  }
  return named;
}

describe('every requirement has a test that names it', () => {
  const named = namedRequirements();

  it.each(ALL.filter((requirement) => LATER[requirement] === undefined))('%s', (requirement) => {
    expect(named.get(requirement) ?? []).not.toEqual([]);
  });

  it('names none that there is not', () => {
    expect([...named.keys()].filter((requirement) => !ALL.includes(requirement))).toEqual([]);
  });
});
