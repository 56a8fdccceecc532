import type { RequestAttributes } from '@sluice/rules';
import type { ReplayRequest } from './replay-request.js';
import type { TextDictionary } from './text-dictionary.js';

/** Texts of one field of many requests, each by its number. */
export interface TextColumn {
  readonly dictionary: TextDictionary;
  /** 0: this request has none. */
  readonly codes: Int32Array;
}

/** Recorded requests by columns, as a columnar store has them: what {@link ReplayRequest} says of one. All columns are `length` long. */
export interface RequestColumns {
  readonly length: number;
  /** Ms since the epoch, integers. */
  readonly atMs: Float64Array;
  /** Permits, integers of at least 0. */
  readonly cost: Float64Array;
  readonly share: Float64Array;
  /** What really happened: 1 allowed, 0 refused. */
  readonly allowed: Uint8Array;
  /** By name; those that the rules do not look at may be missing. */
  readonly attributes: ReadonlyMap<string, TextColumn>;
  /** Attributes that have no column of their own, as JSON objects; undefined where the rules look at none of them. */
  readonly moreAttributes: TextColumn | undefined;
  /** The deciding rule. */
  readonly ruleId: TextColumn;
}

/** One request as a value. */
export function requestAt(columns: RequestColumns, row: number): ReplayRequest {
  const { atMs, cost, share, allowed, ruleId } = columns;
  const wasAllowed = allowed[row] === 1;
  return {
    atMs: atMs[row] ?? Number.NaN,
    attributes: attributesAt(columns, row),
    cost: cost[row] ?? Number.NaN,
    share: share[row] ?? Number.NaN,
    wasAllowed,
    refusedBy: wasAllowed ? undefined : textAt(ruleId, row),
  };
}

/** What a request had. */
export function attributesAt({ attributes, moreAttributes }: RequestColumns, row: number): RequestAttributes {
  const more = moreAttributes === undefined ? undefined : textAt(moreAttributes, row);
  // What is parsed keeps a name such as `__proto__` as a plain one.
  const all = more === undefined ? {} : (JSON.parse(more) as Record<string, string>);
  for (const [name, column] of attributes) {
    const text = textAt(column, row);
    if (text !== undefined) all[name] = text;
  }
  return all;
}

function textAt({ dictionary, codes }: TextColumn, row: number): string | undefined {
  return dictionary.textOf(codes[row] ?? 0);
}
