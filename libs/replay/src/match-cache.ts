import type { AppliedRule, RuleIndex, Snapshot } from '@sluice/rules';
import { attributesNamedBy } from './attributes-named-by.js';
import { attributesAt, type RequestColumns, type TextColumn } from './request-columns.js';
import type { TextDictionary } from './text-dictionary.js';
import { TupleTable } from './tuple-table.js';

/** Kinds of requests that are remembered; then it starts over. */
const MOST_KINDS = 65_536;
const BY_VALUE = ['domain', 'plan', 'endpoint'];
/** Attributes whose presence fits into an integer. */
const MOST_PRESENCES = 30;

/**
 * What applies to requests of columns, remembered by all that it depends on: domain, plan, endpoint and which attributes there are to count by. Keys with an override, and rules that match by
 * descriptors, are asked about each time.
 */
export class MatchCache<Kind> {
  private readonly overridden: ReadonlySet<string>;
  private readonly presences: readonly string[];
  private readonly isRemembered: boolean;
  private kinds = new TupleTable();
  private known: Kind[] = [];
  private dictionaries: readonly (TextDictionary | undefined)[] = [];
  /** By number of the key: 0 not known, 1 it has no override, 2 it has one. */
  private overrides = new Uint8Array(1_024);

  /**
   * @param snapshot what the index was made of; without it every request is asked about
   * @param kindOf makes of what applies what is remembered
   */
  constructor(
    private readonly index: RuleIndex,
    snapshot: Snapshot | undefined,
    private readonly kindOf: (applied: readonly AppliedRule[]) => Kind,
  ) {
    const { matched, counted } = attributesNamedBy(snapshot ?? { rules: [] });
    this.overridden = new Set(snapshot?.overrides.map(({ key_id }) => key_id));
    this.presences = [...counted].filter((name) => !BY_VALUE.includes(name));
    this.isRemembered = snapshot !== undefined && [...matched].every((name) => BY_VALUE.includes(name)) && this.presences.length <= MOST_PRESENCES;
  }

  /** For the rows of one set of columns. */
  reader(columns: RequestColumns): (row: number) => Kind {
    const { attributes } = columns;
    const ask = (row: number): Kind => this.kindOf(this.index.match(attributesAt(columns, row), columns.atMs[row] ?? 0));
    // A rule that counts by what has no column of its own depends on it.
    if (!this.isRemembered || this.presences.some((name) => !attributes.has(name) && columns.moreAttributes !== undefined)) return ask;
    const [domain, plan, endpoint] = BY_VALUE.map((name) => attributes.get(name));
    const key = attributes.get('key_id');
    const presences = this.presences.map((name) => attributes.get(name)?.codes);
    this.turnTo([domain, plan, endpoint, key]);
    return (row) => {
      if (this.overridden.size > 0 && key !== undefined && this.hasOverride(key, row)) return ask(row);
      let present = 0;
      for (let at = 0; at < presences.length; at += 1) if ((presences[at]?.[row] ?? 0) !== 0) present |= 1 << at;
      const number = this.kinds.find(domain?.codes[row] ?? 0, plan?.codes[row] ?? 0, endpoint?.codes[row] ?? 0, present);
      return this.known[number] ?? this.remember(number, ask(row));
    };
  }

  private remember(number: number, kind: Kind): Kind {
    if (number >= MOST_KINDS) this.forget();
    else this.known[number] = kind;
    return kind;
  }

  private hasOverride({ dictionary, codes }: TextColumn, row: number): boolean {
    const code = codes[row] ?? 0;
    if (code >= this.overrides.length) {
      const larger = new Uint8Array(2 * code);
      larger.set(this.overrides);
      this.overrides = larger;
    }
    if (this.overrides[code] === 0) this.overrides[code] = this.overridden.has(dictionary.textOf(code) ?? '') ? 2 : 1;
    return code !== 0 && this.overrides[code] === 2;
  }

  /** Numbers mean something within their dictionary only. */
  private turnTo(columns: readonly (TextColumn | undefined)[]): void {
    const dictionaries = columns.map((column) => column?.dictionary);
    if (dictionaries.every((dictionary, at) => dictionary === this.dictionaries[at])) return;
    this.dictionaries = dictionaries;
    this.forget();
    this.overrides = new Uint8Array(1_024);
  }

  private forget(): void {
    this.kinds = new TupleTable();
    this.known = [];
  }
}
