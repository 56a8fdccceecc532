import { compileSnapshot, type AppliedRule } from '@sluice/rules';
import { CounterHash } from './counter-hash.js';
import { EntrySlab } from './entry-slab.js';
import type { Kind } from './terms.js';
import { TermsBook } from './terms-book.js';

const NOW_MS = 1_767_225_600_000;

function applied(limit: number): AppliedRule {
  const [rule] = compileSnapshot({ version: 1, plans: [], overrides: [], rules: [{ rule_id: 'r', version: 1, limit, window_seconds: 60, shards: 4 }] }).match({ key_id: 'k' }, NOW_MS);
  if (rule === undefined) throw new Error('no rule applies');
  return rule;
}

function lastShardOf(book: TermsBook, limit: number): Kind {
  const kind = book.of(applied(limit)).split?.shards.at(-1)?.kind;
  if (kind === undefined) throw new Error('not split');
  return kind;
}

describe('R61 kinds of rules that are no more', () => {
  it('keep their numbers while a request may be on its way to another shard', () => {
    const book = new TermsBook(new CounterHash(), 's');
    const slab = new EntrySlab(book);
    const last = lastShardOf(book, 100);
    for (let version = 0; version < 60; version += 1) {
      book.prune(NOW_MS + version * 1_000);
      expect(lastShardOf(book, 200 + version).number).not.toBe(last.number);
    }
    const entry = slab.take(1, 2, last, NOW_MS);
    expect(book.kind(last.number)).toBe(last);
    expect(slab.is(entry, 1, 2, lastShardOf(book, 300))).toBe(true);
    book.prune(NOW_MS + 90_000);
    expect(book.kind(last.number)).toBe(last);
  });

  it('leave nothing behind a minute later', () => {
    const book = new TermsBook(new CounterHash(), 's');
    const { number } = lastShardOf(book, 100);
    book.prune(NOW_MS);
    book.prune(NOW_MS + 59_999);
    expect(book.kind(number)).toBeDefined();
    book.prune(NOW_MS + 60_000);
    expect(book.kind(number)).toBeUndefined();
  });

  it('that are asked for again begin anew', () => {
    const book = new TermsBook(new CounterHash(), 's');
    const last = lastShardOf(book, 100);
    book.prune(NOW_MS);
    expect(lastShardOf(book, 100)).toBe(last);
    book.prune(NOW_MS + 60_000);
    expect(book.kind(last.number)).toBe(last);
  });
});
