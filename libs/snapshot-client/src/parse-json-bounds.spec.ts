import { parseJson } from './parse-json.js';

/** What ends the parsing, in how many steps. */
function refusalOf(text: string): { readonly error: unknown; readonly steps: number } {
  const steps = parseJson(text);
  for (let count = 1; ; count += 1) {
    try {
      if (steps.next().done === true) return { error: undefined, steps: count };
    } catch (error) {
      return { error, steps: count };
    }
  }
}

const SIZE = 18_000_000;
const fill = (item: string): string => item.repeat(SIZE / item.length);

describe('R56 no body makes a node take memory or time beyond its size', () => {
  // A part is looked at and parsed in one go: what bounds its length bounds the pause.
  it.each<[string, () => string, RegExp]>([
    ['any number of numbers', () => `{"version":6,"rules":[${fill('0,')}0]}`, /more than 4194304 values/],
    ['any number of empty objects', () => `{"version":6,"rules":[${fill('{},')}0]}`, /more than 4194304 values/],
    ['any number of empty objects in elements', () => `{"version":6,"rules":[${fill(`[${'{},'.repeat(999)}0],`)}0]}`, /more than 4194304 values/],
    ['any depth', () => `{"version":6,"rules":${fill('[')}${fill(']')}}`, /deeper than 32 levels/],
    ['any depth of an element', () => `{"version":6,"rules":[0,${fill('{"a":')}0${fill('}')}]}`, /deeper than 32 levels/],
    ['an element of any size', () => `{"version":6,"rules":[[${fill('0,')}0]]}`, /part of more than 262144 characters/],
    ['a string of any size', () => `{"version":6,"rules":["${fill('\\"')}"]}`, /part of more than 262144 characters/],
    ['a name of any size', () => `{"${fill('a')}":6}`, /part of more than 262144 characters/],
    ['any number of spaces', () => `{"version":6,${fill(' ')}"rules":[]}`, /part of more than 262144 characters/],
    ['any number of members', () => `{${fill('"a":0,')}"version":6}`, /object of more than 10000 members/],
  ])('%s', (_what, make, expected) => {
    const { error } = refusalOf(make());
    expect(error).toBeInstanceOf(RangeError);
    expect(String(error)).toMatch(expected);
  });

  it('but what a large control plane has is read', () => {
    const rule = { rule_id: 'r'.repeat(20), version: 1, plan: 'p'.repeat(20), endpoint: 'GET /v1/items/{id}', limit: 100, window_seconds: 60 };
    const { error, steps } = refusalOf(JSON.stringify({ version: 6, plans: [], rules: Array(300_000).fill(rule), overrides: [] }));
    expect(error).toBeUndefined();
    expect(steps).toBeGreaterThan(1_000);
  });
});
