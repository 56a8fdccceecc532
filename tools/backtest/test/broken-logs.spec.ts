import { gzipSync } from 'node:zlib';
import { Command } from './support/command.js';

const command = new Command();
afterAll(() => command.remove());

const LIMIT = command.file('limit.yaml', '[{rule_id: r, limit: 2, window_seconds: 60, algorithm: fixed_window}]');
const run = (...args: readonly string[]) => command.run('--rules', LIMIT, '--json', ...args);
const requestsOf = (out: string): number => (JSON.parse(out) as { readonly total: { readonly requests: number } }).total.requests;
const lines = (count: number): string => Array.from({ length: count }, (_, at) => `{"time":${1_796_000_000 + at},"key":"k${(at * 7_919) % 10_007}"}\n`).join('');

describe('R59 logs that are not what they should be', () => {
  it('rows of a CSV that are none are counted, each is named by its line', async () => {
    const bad = command.file('bad.csv', 'time,key,cost\n2026-11-30T10:00:00Z,k1,1\n2026-11-30T10:00:00Z,k1\n2026-11-30T10:00:00Z,k1,1,1\n2026-11-30T10:00:00Z,"k"x,1\n2026-11-30T10:00:00Z,k1,1\n');
    expect(await run(bad)).toMatchObject({ code: 1, err: 'bad.csv:3 has more or fewer cells than the header\nbad.csv:4 has more or fewer cells than the header' });
    const { code, out } = await run('--skip-bad', bad);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ bad_lines: 2, total: { requests: 3 } });
  });

  it('blanks around the cells of a CSV are none of them', async () => {
    const { out } = await run(command.file('blanks.csv', 'time , key\r\n2026-11-30T10:00:00Z, "a" \r\n 2026-11-30T10:00:01Z ,"a"\r\n2026-11-30T10:00:02Z,a \r\n'));
    expect(JSON.parse(out)).toMatchObject({ total: { requests: 3, refused: 1 }, keys: [{ name: 'a' }] });
  });

  it.each([
    ['a gz of JSON lines cut short', 'cut.jsonl.gz', gzipSync(lines(20_000)).subarray(0, 40_000), /^cut\.jsonl\.gz:\d{4,} cannot be read from here on: unexpected end of file$/],
    ['a gz of a CSV cut short', 'cut.csv.gz', gzipSync(`time,key\n${lines(20_000).replaceAll(/[^\d\nk,]/g, '')}`).subarray(0, 30_000), /^cut\.csv\.gz:\d{4,} cannot be read from here on: unexpected end of file$/],
    ['a quote that is never closed', 'open.csv', 'time,key\n0,a\n0,"b\n0,c\n', /^open\.csv:4 cannot be read from here on: .*Quote Not Closed/],
    ['a CSV without times', 'none.csv', 'key\na\n', /^none\.csv:1 .*the header has no column time$/],
    ['a line without an end', 'long.jsonl', `{"time":0}\n${'x'.repeat(1_500_000)}`, /^long\.jsonl:2 .*more than 1048576 characters$/],
    ['lines of another format', 'other.jsonl', 'a\nb\n', /^other\.jsonl has no line that is a request \(2 were skipped\)/],
  ])('%s is a fault with --skip-bad too, by name and line', async (_what, name, content, message) => {
    const { code, err } = await run('--skip-bad', command.file(name, content));
    expect(err).toMatch(message);
    expect(code).toBe(1);
  });

  it('a folder is named', async () => {
    expect(await run(command.folder)).toMatchObject({ code: 1, err: expect.stringContaining(`${command.folder}:1 cannot be read from here on: EISDIR`) as string });
  });

  it('an empty one is none', async () => {
    for (const empty of [command.file('empty.jsonl', ''), command.file('empty.csv', 'time,key\n'), command.file('empty.gz', gzipSync(''))]) {
      const { code, out } = await run('--skip-bad', empty);
      expect([code, requestsOf(out)]).toEqual([0, 0]);
    }
  });

  it('reads names of any case, and what begins with a byte order mark', async () => {
    const access = '1.2.3.4 - - [30/Nov/2026:18:00:00 +0000] "GET /a HTTP/1.1" 200 5\n';
    const all = [command.file('UP.CSV.GZ', gzipSync('time,key\n0,a\n')), command.file('bom.jsonl', `\uFEFF${lines(1)}`), command.file('bom.log', `\uFEFF${access}`), command.file('bom.csv', '\uFEFFtime,key\n0,a\n')];
    for (const log of all) {
      const { code, out } = await run(log);
      expect([code, requestsOf(out)]).toEqual([0, 1]);
    }
  });

  it.each([
    ['a bomb of aliases', `a: &a [${'l,'.repeat(9)}]\n${'bcdefghi'.replaceAll(/./g, (name, at: number) => `${name}: &${name} [${`*${'abcdefgh'.charAt(at)},`.repeat(9)}]\n`)}rules: *i\n`, /^rules\.yaml: .*alias/],
    ['what is nested too deeply', '['.repeat(200_000), /^rules\.yaml: /],
  ])('rules that are %s are a fault, not the end of the program', async (_what, rules, message) => {
    const { code, err } = await command.run('--rules', command.file('rules.yaml', rules), command.file('one.jsonl', lines(1)));
    expect(err).toMatch(message);
    expect(code).toBe(1);
  });

  it('an access log without a closing quote takes no time to speak of', async () => {
    const begin = '1.2.3.4 - - [30/Nov/2026:18:00:00 +0000] "GET /';
    const startedMs = performance.now();
    for (const hostile of ['a'.repeat(200_000), `${'a '.repeat(100_000)}`, `a" ${begin.repeat(4_000)}`, `a ${'[30/Nov/2026:18:00:00 +0000] '.repeat(7_000)}`, `\\"${'"a'.repeat(100_000)}`]) {
      expect((await run(command.file('hostile.log', begin + hostile))).code).toBe(1);
    }
    expect(performance.now() - startedMs).toBeLessThan(2_000);
  });
});

describe('R59 times of a log', () => {
  const at = (time: string) => run('--skip-bad', command.file('time.jsonl', `{"time":${JSON.stringify(time)}}\n{"time":0}\n`), '--reorder', '24h');

  it.each([
    ['2026-11-30T10:00:00Z', '2026-11-30T10:00:00.000Z'],
    ['2026-11-30T10:00:00.1239+05:30', '2026-11-30T04:30:00.123Z'],
    ['2026-11-30T10:00:00,5-0800', '2026-11-30T18:00:00.500Z'],
    ['2026-11-30T10:00:00+01', '2026-11-30T09:00:00.000Z'],
    ['2026-11-30 10:00', '2026-11-30T10:00:00.000Z'],
    ['2024-02-29t10:00:00z', '2024-02-29T10:00:00.000Z'],
    ['1796000000', '2026-11-30T00:53:20.000Z'],
    ['1796000000.1234', '2026-11-30T00:53:20.123Z'],
    ['1796000000123', '2026-11-30T00:53:20.123Z'],
  ])('%s', async (time, to) => {
    expect(JSON.parse((await at(time)).out)).toMatchObject({ bad_lines: 0, to });
  });

  it.each(['k-12', 'x1', 'foo 2026', 'Nov 30 2026', '05/06/2026 10:00:00', '2026/11/30', '2026-1-2', '2026-11-30', '20261130T100000Z', '2026-02-30T10:00:00Z', '2026-11-30T24:00:00Z', '2026-11-30T10:60:00Z', '2026-11-30T10:00:00+25:00', '-5', '1e9', '1 2', '1796000000123456', '9999999999999999'])(
    '%s is none',
    async (time) => {
      expect(JSON.parse((await at(time)).out)).toMatchObject({ bad_lines: 1 });
    },
  );
});
