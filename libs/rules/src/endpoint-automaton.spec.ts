import { EndpointAutomaton } from './endpoint-automaton.js';
import { parseEndpoint, type EndpointTemplate } from './endpoint-template.js';
import { atOnce } from './steps.js';

const TEXTS = ['GET /v1/items/{id}', 'GET /v1/items/special', '/v1/*', 'POST /v1/items', '/{a}/items/special', 'DELETE *', '/v1/{x}/b/{y}'];

function templateOf(text: string): EndpointTemplate[] {
  const parsed = parseEndpoint(text);
  return parsed.kind === 'template' ? [parsed.template] : [];
}

function found(automaton: EndpointAutomaton, endpoint: string | undefined): string[] {
  return automaton.locate(endpoint).patterns.map((pattern) => TEXTS[pattern - 1] ?? '').sort();
}

const cases: [string | undefined, string[]][] = [
  [undefined, []],
  ['', []],
  ['login', []],
  ['GET', []],
  ['GET v1/items', []],
  ['GET /v1/items/7', ['/v1/*', 'GET /v1/items/{id}']],
  ['GET /v1/items/special', ['/v1/*', '/{a}/items/special', 'GET /v1/items/special', 'GET /v1/items/{id}']],
  ['GET /v1/items/{id}', ['/v1/*', 'GET /v1/items/{id}']],
  ['GET /v1/items/:id', ['/v1/*', 'GET /v1/items/{id}']],
  ['/v1/items/special', ['/v1/*', '/{a}/items/special']],
  ['GET /v1', ['/v1/*']],
  ['GET /v1/', ['/v1/*']],
  ['GET /v10', []],
  ['GET /V1/items/7', []],
  ['GET //v1//items//7//', ['/v1/*', 'GET /v1/items/{id}']],
  ['GET /v1/items/7?id=/special', ['/v1/*', 'GET /v1/items/{id}']],
  ['GET /v1/items/?x', ['/v1/*']],
  ['GET /v1/items/special#x', ['/v1/*', '/{a}/items/special', 'GET /v1/items/special', 'GET /v1/items/{id}']],
  ['POST /v1/items/7', ['/v1/*']],
  ['DELETE /', ['DELETE *']],
  ['DELETE /v1/x/b/y', ['/v1/*', '/v1/{x}/b/{y}', 'DELETE *']],
  ['constructor /__proto__/toString', []],
  [`GET /v1/${'a/'.repeat(100_000)}`, ['/v1/*']],
];

describe('R1 endpoints are matched against all templates at once', () => {
  const automaton = atOnce(EndpointAutomaton.of(TEXTS.flatMap(templateOf), TEXTS));

  it.each(cases)('%.60s', (endpoint, texts) => {
    expect(found(automaton, endpoint)).toEqual([...texts].sort());
  });

  it('finds a rule by the canonical path, and by its own text', () => {
    const text = 'GET /%61b/caf%c3%a9/%2A';
    const automaton = atOnce(EndpointAutomaton.of(templateOf(text), [text]));
    for (const endpoint of [text, 'GET /ab/caf%C3%A9/*']) expect(automaton.locate(endpoint).patterns).toEqual([1]);
    expect(automaton.locate('GET /ab/caf%C3%A9/x').patterns).toEqual([]);
  });

  it('makes no new state for segments that no rule names', () => {
    const states = new Set(Array.from({ length: 1_000 }, (_, at) => automaton.locate(`GET /v1/items/${String(at)}`)));
    expect(states.size).toBe(1);
  });

  it('starts over when it keeps too many states, and answers the same', () => {
    const small = atOnce(EndpointAutomaton.of(TEXTS.flatMap(templateOf), TEXTS, 3));
    for (let round = 0; round < 3; round += 1) {
      for (const [endpoint, texts] of cases) expect(found(small, endpoint)).toEqual([...texts].sort());
    }
  });
});
