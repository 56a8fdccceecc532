import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Command } from './support/command.js';

const examples = join(import.meta.dirname, '../examples');
const RULES = join(examples, 'rules.yaml');
const command = new Command();
const { folder } = command;
const called = command.run.bind(command);
const file = command.file.bind(command);

afterAll(() => command.remove());

async function refusals(log: string, ...args: readonly string[]): Promise<{ readonly requests: number; readonly refused: number; readonly keys: Readonly<Record<string, number>> }> {
  const { code, out, err } = await called('--rules', file('limit2.json', '[{"rule_id":"r","limit":2,"window_seconds":60,"algorithm":"fixed_window"}]'), '--json', log, ...args);
  expect(err).toBe('');
  expect(code).toBe(0);
  const { total, keys } = JSON.parse(out) as { total: { requests: number; refused: number }; keys: { name: string; refused: number }[] };
  return { requests: total.requests, refused: total.refused, keys: Object.fromEntries(keys.map(({ name, refused }) => [name, refused])) };
}

describe('R59 a backtest of an access log, before anything is installed', () => {
  it('the example', async () => {
    const { code, out } = await called('--rules', RULES, join(examples, 'access.jsonl'));
    expect(code).toBe(0);
    expect(out.replace(/\n\n[^\n]*requests\/s$/, '')).toMatchInlineSnapshot(`
"113 requests from 2026-11-30T10:00:00.793Z to 2026-11-30T10:01:58.865Z
would refuse 33 (29.2 %)

rule        mode  applied to  refused  429 rate
per-key  enforce         113       30    26.5 %
strict    shadow          80       14    17.5 %
search   enforce           8        3    37.5 %

endpoint        requests  refused  429 rate
GET /v1/items        100       30    30.0 %
GET /v1/search         8        3    37.5 %
POST /v1/items         5        0     0.0 %

key    requests  refused  429 rate
bob          40       30    75.0 %
carol         8        3    37.5 %
alice        60        0     0.0 %
dave          5        0     0.0 %

worst 1 min           requests  refused  429 rate
2026-11-30T10:00:00Z        80       33    41.3 %"
`);
  });

  const rows = [
    ['2026-11-30T10:00:00Z', 'a', 'GET /x'],
    ['2026-11-30T10:00:01Z', 'a', 'GET /x'],
    ['2026-11-30T10:00:02Z', 'b', 'GET /x'],
    ['2026-11-30T10:00:03Z', 'a', 'GET /x'],
    ['2026-11-30T10:01:00Z', 'a', 'GET /x'],
  ] as const;
  const expected = { requests: 5, refused: 1, keys: { a: 1, b: 0 } };
  const jsonl = rows.map(([time, key, endpoint]) => JSON.stringify({ time, key, endpoint })).join('\n');

  it('reads JSON lines, CSV, gz and access logs alike', async () => {
    expect(await refusals(file('a.jsonl', jsonl))).toEqual(expected);
    expect(await refusals(file('a.jsonl.gz', gzipSync(jsonl)))).toEqual(expected);
    expect(await refusals(file('a.csv', `time,key,endpoint,cost\n${rows.map((row) => [...row, ''].join(',')).join('\n')}\n`))).toEqual(expected);
    const combined = rows.map(([time, key]) => `${key === 'a' ? '10.0.0.1' : '10.0.0.2'} - - [30/Nov/2026:${time.slice(11, 19)} +0000] "GET /x?y=1 HTTP/1.1" 200 12 "-" "curl"`).join('\n');
    expect(await refusals(file('access.log', combined))).toEqual({ requests: 5, refused: 1, keys: { '10.0.0.1': 1, '10.0.0.2': 0 } });
  });

  it('reads columns of other names, epoch times, costs and what happened', async () => {
    const epoch = rows.map(([time, key]) => `${Date.parse(time) / 1_000};${key}`.replace(';', ','));
    expect(await refusals(file('b.csv', `at,api_key\n${epoch.join('\n')}`), '--map', 'time=at', '--map', 'key=api_key')).toEqual(expected);
    const ms = rows.map(([time, key], at) => JSON.stringify({ time: Date.parse(time), key, cost: at === 0 ? 2 : 1, status: at === 3 ? 429 : 200 })).join('\n');
    const { out } = await called('--rules', join(folder, 'limit2.json'), '--json', file('b.jsonl', ms));
    expect(JSON.parse(out)).toMatchObject({ total: { refused: 2, compared: { really_refused: 1, newly_refused: 1, newly_allowed: 0, same: 4 } } });
  });

  it('sorts what comes late within the span, counts what comes later than that', async () => {
    const [first, second, third, fourth, last] = jsonl.split('\n');
    const late = [first, fourth, third, second, last].join('\n');
    expect(await refusals(file('late.jsonl', late))).toEqual(expected);
    const { out } = await called('--rules', join(folder, 'limit2.json'), '--json', '--reorder', '0', join(folder, 'late.jsonl'));
    expect(JSON.parse(out)).toMatchObject({ out_of_order: 2 });
  });

  it('names bad lines and ends with 1, or skips and counts them', async () => {
    const bad = file('bad.jsonl', `${jsonl}\nno json\n{"time":"never","key":"a"}\n{"time":0,"cost":-1}\n`);
    const ended = await called('--rules', join(folder, 'limit2.json'), bad);
    expect(ended.code).toBe(1);
    expect(ended.err.split('\n')).toEqual([
      'bad.jsonl:6 is no JSON',
      'bad.jsonl:7 has no time as ISO 8601 or epoch in time',
      'bad.jsonl:8 has a cost that is no whole number from 0 in cost',
    ]);
    const skipped = await called('--rules', join(folder, 'limit2.json'), '--skip-bad', '--json', bad);
    expect(skipped.code).toBe(0);
    expect(JSON.parse(skipped.out)).toMatchObject({ bad_lines: 3, total: { requests: 5 } });
  });

  it.each([
    ['rules that are wrong, by pointer', ['--rules', 'wrong.yaml', 'a.jsonl'], 1, /wrong\.yaml: \/rules\/0\/limit must be/],
    ['no YAML', ['--rules', 'broken.yaml', 'a.jsonl'], 1, /broken\.yaml/],
    ['no such log', ['--rules', 'limit2.json', 'none.jsonl'], 1, /none\.jsonl cannot be read/],
    ['a gz that is none', ['--rules', 'limit2.json', 'fake.gz'], 1, /incorrect header check/],
    ['CSV with rows of another length', ['--rules', 'limit2.json', 'rows.csv'], 1, /^rows\.csv:2 has more or fewer cells than the header$/],
    ['no rules', ['a.jsonl'], 2, /--rules is missing/],
    ['no log', ['--rules', 'limit2.json'], 2, /no log to read/],
    ['an unknown option', ['--rule', 'limit2.json', 'a.jsonl'], 2, /Unknown option '--rule'/],
    ['an unknown format', ['--rules', 'limit2.json', '--format', 'xml', 'a.jsonl'], 2, /--format must be one of/],
    ['a span that is none', ['--rules', 'limit2.json', '--reorder', '5 minutes', 'a.jsonl'], 2, /--reorder takes a span/],
  ])('%s', async (_what, args, code, message) => {
    file('wrong.yaml', 'rules:\n  - rule_id: r\n    limit: 0\n    window_seconds: 1\n');
    file('broken.yaml', 'a: [');
    file('fake.gz', 'no gzip');
    file('rows.csv', 'time,key\n1,2,3\n');
    const result = await called(...args.map((arg) => (/\.(?:yaml|json|jsonl|gz|csv)$/.test(arg) ? join(folder, arg) : arg)));
    expect(result.err).toMatch(message);
    expect(result.code).toBe(code);
  });

  it('says which rules no request met', async () => {
    const rules = file('plans.yaml', '- rule_id: free\n  plan: free\n  limit: 1\n  window_seconds: 60\n');
    expect((await called('--rules', rules, join(folder, 'a.jsonl'))).out).toContain('note: no request met: free');
    expect((await called('--rules', rules, '--set', 'plan=free', join(folder, 'a.jsonl'))).out).toMatch(/^free {2}enforce {11}5 {8}3/m);
  });
});
