import { atOnce } from '@sluice/rules';
import fc from 'fast-check';
import { parseJson } from './parse-json.js';

/** The value and its text again, since `toEqual` looks neither at the order of members nor at `__proto__`; or that it is none. */
function outcome(parse: () => unknown): unknown {
  try {
    const value = parse();
    return { value, text: JSON.stringify(value) };
  } catch (error) {
    return error instanceof SyntaxError ? 'no JSON' : error;
  }
}

function expectSame(text: string): void {
  expect(outcome(() => atOnce(parseJson(text)))).toEqual(outcome((): unknown => JSON.parse(text)));
}

/** JSON as anybody may write it: spaces, escapes, names that repeat. */
const space = fc.constantFrom('', '', '', ' ', '\n', '\t\r\n ', '\u00a0', '\ufeff');
const string = fc.oneof(
  fc.string().map((text) => JSON.stringify(text)),
  fc.constantFrom('"\\u0041\\\\"', '"\\\\\\""', '"],[{}"', '"__proto__"', '"a"', '"1"', '"\\"', '"\n"'),
);
const { json } = fc.letrec<{ json: string; list: string; object: string }>((tie) => ({
  json: fc
    .tuple(space, fc.oneof({ depthSize: 'small', withCrossShrink: true }, fc.constantFrom('0', '-1.5e3', 'true', 'null', '01', '', 'x'), string, tie('list'), tie('object')), space)
    .map((parts) => parts.join('')),
  list: fc.tuple(fc.array(tie('json'), { maxLength: 6 }), fc.constantFrom(',', ',', ',', ',,', ';')).map(([items, comma]) => `[${items.join(comma)}]`),
  object: fc.array(fc.tuple(space, string, space, tie('json')), { maxLength: 5 }).map((members) => `{${members.map(([before, name, after, value]) => `${before}${name}${after}:${value}`).join(',')}}`),
}));

describe('R56 JSON in steps is what JSON.parse makes of it', () => {
  it('for what JSON.stringify writes, at any width', () => {
    fc.assert(
      fc.property(fc.jsonValue({ depthSize: 'medium', maxDepth: 6 }), fc.constantFrom(0, 1, 4), (value, indent) => {
        const text = JSON.stringify(value, undefined, indent);
        expectSame(text);
        expectSame(JSON.stringify({ rules: [value, value], [text]: value }, undefined, indent));
      }),
      { seed: 1, numRuns: 1_000 },
    );
  });

  it('for texts that nearly are JSON', () => {
    let good = 0;
    fc.assert(
      fc.property(json, (text) => {
        if (outcome((): unknown => JSON.parse(text)) !== 'no JSON') good += 1;
        expectSame(text);
      }),
      { seed: 2, numRuns: 8_000 },
    );
    expect(good).toBeGreaterThan(1_000);
    expect(good).toBeLessThan(7_000);
  });

  it('for JSON in which a few characters were dropped, doubled or swapped', () => {
    const spoilt = fc
      .tuple(fc.jsonValue({ maxDepth: 4 }), fc.array(fc.tuple(fc.nat(), fc.constantFrom('', '"', '\\', ',', '[', ']', '{', '}', ':', ' ', '0')), { minLength: 1, maxLength: 3 }))
      .map(([value, edits]) => edits.reduce((text, [at, by]) => text.slice(0, at % (text.length + 1)) + by + text.slice((at % (text.length + 1)) + (at % 2)), JSON.stringify({ a: value, b: [value] })));
    fc.assert(fc.property(spoilt, expectSame), { seed: 3, numRuns: 4_000 });
  });

  const wide = 'x'.repeat(20_000);
  it.each([
    ['batches', `[${Array.from({ length: 30 }, () => `"${wide}"`).join(' , ')}]`],
    ['an empty element at the edge of a batch', `["${wide}",,1]`],
    ['a comma at the end, at the edge of a batch', `["${wide}",]`],
    ['a comma at the end, after spaces', `["${wide}", \n ]`],
    ['a comma in front, after a batch of spaces', `[${' '.repeat(20_000)},1]`],
    ['a batch of spaces', `[${' '.repeat(20_000)}]`],
    ['a list that is closed as an object', `["${wide}",1}`],
    ['a list that does not end', `["${wide}",1`],
    ['a string that does not end', `["${wide}","1`],
    ['brackets that do not match in a batch', '{"a":[{"b":[1}]]}'],
    ['more after the end', '{"a":[]}]'],
    ['a repeated list', '{"rules":[1],"rules":[2,3]}'],
    ['deep nesting', `{"a":[${'['.repeat(32)}${']'.repeat(32)}]}`],
    ['a part as long as may be', `{"a":["${'\\"'.repeat(131_071)}"]}`],
  ])('%s', (_what, text) => expectSame(text));

  it('takes steps that are small beside a long text', () => {
    const text = JSON.stringify({ rules: Array.from({ length: 10_000 }, (_, at) => ({ rule_id: `r${at}`, limit: at })) });
    let steps = 0;
    for (const parsing = parseJson(text); parsing.next().done !== true; ) steps += 1;
    expect(steps).toBeGreaterThanOrEqual(Math.floor(text.length / 17_000));
  });
});
