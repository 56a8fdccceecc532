import { gzipSync } from 'node:zlib';
import { Command } from './support/command.js';

const command = new Command();
afterAll(() => command.remove());

const LIMIT = command.file('limit.yaml', '[{rule_id: r, limit: 40, window_seconds: 60, algorithm: fixed_window}]');

interface Answer {
  readonly out_of_order: number;
  readonly total: { readonly requests: number; readonly refused: number };
}

async function answer(...args: readonly string[]): Promise<Answer> {
  const { out, err } = await command.run('--rules', LIMIT, '--json', ...args);
  expect(err).toBe('');
  const { total, out_of_order } = JSON.parse(out) as Answer;
  return { out_of_order, total: { requests: total.requests, refused: total.refused } };
}

const START_S = 1_796_000_000;
const SECONDS = 12_000;
const line = (second: number): string => `{"time":${START_S + second},"key":"k1"}\n`;
const seconds = Array.from({ length: SECONDS }, (_, second) => second);
const log = (name: string, of: readonly number[]): string => command.file(name, of.map(line).join(''));

describe('R59 several logs of one time', () => {
  const whole = log('whole.jsonl', seconds);
  const evens = log('evens.jsonl', seconds.filter((second) => second % 2 === 0));
  const odds = command.file('odds.jsonl.gz', gzipSync(seconds.filter((second) => second % 2 === 1).map(line).join('')));

  it('are merged by time, in whatever order they are named, at any span', async () => {
    const expected = await answer(whole);
    expect(expected).toMatchObject({ out_of_order: 0, total: { requests: SECONDS, refused: 3_980 } });
    for (const args of [[evens, odds], [odds, evens], ['--reorder', '0', evens, odds]]) expect(await answer(...args)).toEqual(expected);
  });

  it('are so too where they follow each other, overlap, end early, or are named the latest first', async () => {
    const parts = [seconds.slice(0, 4_000), seconds.slice(4_000, 9_000).filter((second) => second % 3 > 0), seconds.slice(4_000, 9_000).filter((second) => second % 3 === 0), seconds.slice(9_000)];
    const files = parts.map((part, at) => log(`part${at}.jsonl`, part));
    const expected = await answer(whole);
    expect(await answer(...files)).toEqual(expected);
    expect(await answer(...files.reverse(), command.file('nothing.jsonl', ''))).toEqual(expected);
  });

  it('each may be out of order by itself within the span', async () => {
    const shaken = (of: readonly number[]): readonly number[] => of.map((second, at) => of[at % 2 === 0 ? at + 1 : at - 1] ?? second);
    const files = [log('shaken0.jsonl', shaken(seconds.filter((second) => second % 2 === 0))), log('shaken1.jsonl', shaken(seconds.filter((second) => second % 2 === 1)))];
    expect(await answer('--reorder', '10s', ...files)).toEqual(await answer(whole));
  });

  it('a fault in one of them ends the run with its name', async () => {
    const { code, err } = await command.run('--rules', LIMIT, evens, command.folder);
    expect(code).toBe(1);
    expect(err).toContain('EISDIR');
    expect(await command.run('--rules', LIMIT, '-', '-')).toMatchObject({ code: 2, err: expect.stringContaining('- is stdin, which can be read once') as string });
  });
});
