import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { jest } from '@jest/globals';
import { compileRule, type AppliedRule } from '@sluice/rules';
import { type CountsMessage, sendCountsTo } from './send-counts.js';
import { ShadowMetrics } from './shadow-metrics.js';
import { ShadowReporter } from './shadow-reporter.js';
import { Tally } from './tally.js';

const rule = compileRule({ rule_id: 'staged', version: 1, limit: 5, window_seconds: 1, mode: 'shadow' });
const staged: AppliedRule = { rule, quota: rule.quota, overrideId: undefined };

/** A control plane that keeps the greatest of each count, as the real one does. */
class Taker {
  readonly messages: CountsMessage[] = [];
  readonly kept = new Map<string, number>();
  status = 200;
  /** Takes the counts, and its answer is lost. */
  loses = false;
  /** Its clock is another one: it ignores all. */
  ignores = false;
  private readonly server: Server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    request.on('end', () => {
      if (this.status === 200) this.take(JSON.parse(text) as CountsMessage, request.headers.authorization);
      if (this.loses) response.destroy();
      else response.writeHead(this.status).end(JSON.stringify({ accepted: 0, ignored: this.ignores ? (JSON.parse(text) as CountsMessage).counts.length : 0 }));
    });
  });

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/`;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private take(message: CountsMessage, authorization: string | undefined): void {
    expect(authorization).toBe('Bearer node-token');
    expect(message.counts.length).toBeLessThanOrEqual(400);
    expect(JSON.stringify(message).length).toBeLessThan(65_536);
    this.messages.push(message);
    for (const { key, denied } of message.counts) this.kept.set(String(key), Math.max(denied, this.kept.get(String(key)) ?? 0));
  }
}

describe('R58 counts on their way to the control plane', () => {
  let taker: Taker;
  let reporter: ShadowReporter;
  const warnings: string[] = [];
  let laterMs = 0;

  beforeEach(async () => {
    taker = new Taker();
    warnings.length = 0;
    laterMs = 0;
    const send = sendCountsTo({ url: await taker.listen(), token: 'node-token' });
    reporter = new ShadowReporter({ send, nowMs: () => Date.now() + laterMs, everyMs: 30, logger: { warn: (_fields: object, line?: string) => void warnings.push(line ?? '') } });
  });
  afterEach(async () => {
    await reporter.close();
    taker.close();
  });

  const note = (key_id: string, times = 1): void => {
    for (let at = 0; at < times; at += 1) reporter.note(staged, 'denied', { key_id }, Date.now());
  };
  const until = async (met: () => boolean): Promise<void> => {
    for (const deadline = Date.now() + 5_000; !met(); await sleep(5)) if (Date.now() > deadline) throw new Error('not in time');
  };

  it('are sent by themselves, and what has not changed is not sent again', async () => {
    note('a', 3);
    await until(() => taker.kept.get('a') === 3);
    note('b', 2);
    await until(() => taker.kept.get('null') === 5);
    await until(() => taker.messages.at(-1)?.counts.length === 0);
    expect(taker.messages.flatMap(({ counts }) => counts.filter(({ key }) => key === 'a'))).toHaveLength(1);
    expect(new Set(taker.messages.map(({ node_id }) => node_id)).size).toBe(1);
    expect(taker.messages.at(-1)?.complete_until).toEqual(expect.any(String));
  });

  it('are repeated until they are taken, and one line in the log says so', async () => {
    taker.status = 503;
    note('a', 4);
    await until(() => warnings.length === 1);
    await sleep(150);
    expect(warnings).toEqual([expect.stringContaining('kept for ten minutes')]);
    note('a', 1);
    taker.status = 200;
    await until(() => taker.kept.get('a') === 5);
  });

  it('a lost answer does no harm', async () => {
    taker.loses = true;
    note('a', 4);
    await until(() => taker.messages.length >= 3);
    taker.loses = false;
    note('a', 2);
    await until(() => taker.kept.get('a') === 6);
    expect(taker.kept.get('null')).toBe(6);
  });

  it('come in messages that the control plane takes, however many they are', async () => {
    for (let at = 0; at < 490; at += 1) note(`${'k'.repeat(200)}-${at}`);
    await until(() => taker.kept.size === 491);
    expect(taker.messages.length).toBeGreaterThan(2);
    expect(taker.messages.find(({ counts }) => counts.length > 0)?.complete_until).toBeUndefined();
  });

  it('are given up after ten minutes, and counted', async () => {
    taker.status = 503;
    note('a', 4);
    await until(() => warnings.length === 1);
    laterMs = 12 * 60_000;
    await until(() => reporter.dropped === 4);
    expect(warnings.at(-1)).toContain('lost');
  });

  it('are not all looked at anew as long as the control plane is away', async () => {
    const looks = jest.spyOn(Tally.prototype, 'unsent', 'get');
    let looked = 0;
    let nowMs = Date.now();
    const send = (): Promise<never> => {
      looked = looks.mock.calls.length;
      return Promise.reject(new Error('away'));
    };
    const away = new ShadowReporter({ send, nowMs: () => nowMs, everyMs: 30, logger: { warn: () => undefined } });
    for (let minute = 0; minute < 9; minute += 1, nowMs += 60_000) for (let at = 0; at < 1_000; at += 1) away.note(staged, 'denied', { key_id: `key-${at}` }, nowMs);
    await until(() => looked > 0);
    await away.close();
    looks.mockRestore();
    expect(looked).toBeGreaterThan(400);
    expect(looked).toBeLessThan(2_500);
  });

  it('are counted when the control plane ignores them, and one line in the log says so', async () => {
    taker.ignores = true;
    note('a', 3);
    await until(() => reporter.ignored === 2);
    note('a', 1);
    await until(() => reporter.ignored === 4);
    expect(warnings).toEqual([expect.stringContaining('clocks')]);
    expect(new ShadowMetrics(reporter).families.find(({ name }) => name === 'sluice_shadow_counts_ignored_total')?.collect()).toEqual([{ labels: {}, value: 4 }]);
    taker.ignores = false;
    note('a', 1);
    await until(() => taker.messages.at(-1)?.counts.length === 0);
    expect([reporter.ignored, warnings.length]).toEqual([4, 1]);
  });

  it('R44 go out with a stop, which says that it was the last; a control plane that is away holds it up for a second at most', async () => {
    note('a', 2);
    await reporter.close();
    expect(taker.messages.at(-1)).toMatchObject({ last: true });
    expect(taker.kept.get('a')).toBe(2);
    const away = new ShadowReporter({ send: (_message, signal) => new Promise<never>((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('late')))), nowMs: Date.now, logger: { warn: () => undefined } });
    away.note(staged, 'denied', { key_id: 'a' }, Date.now());
    const startedMs = performance.now();
    await away.close();
    expect(performance.now() - startedMs).toBeLessThan(1_500);
  });

  it('without a rule in shadow there is no message, and after a quiet time the last one says so', async () => {
    await sleep(100);
    expect(taker.messages).toEqual([]);
    note('a');
    await until(() => taker.kept.get('a') === 1);
    laterMs = 15 * 60_000;
    await until(() => taker.messages.at(-1)?.last === true);
    const sent = taker.messages.length;
    await sleep(150);
    expect(taker.messages).toHaveLength(sent);
    laterMs = 0;
    note('c');
    await until(() => taker.kept.get('c') === 1);
  });
});
