import type { BoundedTallies } from './bounded-tallies.js';
import type { Tally } from './tally.js';
import type { TextColumn } from './request-columns.js';
import type { TextDictionary } from './text-dictionary.js';

/** Tallies by the number of their name. */
export class TallyCache {
  private known: (Tally | undefined)[] = [];
  private dictionary: TextDictionary | undefined;
  private epoch = 0;

  constructor(readonly tallies: BoundedTallies) {}

  /** @param code of the column's dictionary, not 0 */
  of({ dictionary }: TextColumn, code: number): Tally {
    if (this.epoch !== this.tallies.epoch || this.dictionary !== dictionary) {
      this.known = [];
      this.epoch = this.tallies.epoch;
      this.dictionary = dictionary;
    }
    return this.known[code] ?? this.find(dictionary, code);
  }

  private find(dictionary: TextDictionary, code: number): Tally {
    const tally = this.tallies.of(dictionary.textOf(code) ?? '');
    // What had to be let go for it may have been this very list.
    if (this.epoch === this.tallies.epoch) this.known[code] = tally;
    return tally;
  }
}
