import { TextDictionary, type ReplayRequest, type RequestColumns, type TextColumn } from '@sluice/replay';

const START_MS = Date.UTC(2026, 10, 30);
const SPAN_MS = 600_000;
const ENDPOINTS = 250;

/** Requests of ten minutes in the order of time, some keys far busier than others; the attributes of each are an object of its own, as a store hands them out. */
export function recordedTraffic({ count, keys, plans, share }: { readonly count: number; readonly keys: number; readonly plans: readonly string[]; readonly share?: number | undefined }): readonly ReplayRequest[] {
  let state = 59;
  const random = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296;
  };
  return Array.from({ length: count }, (_, at) => {
    const key = Math.floor(keys * random() ** 2);
    const plan = plans[key % plans.length] ?? '';
    const attributes = { plan, endpoint: `GET /v1/r${Math.floor(random() * ENDPOINTS)}/{id}`, key_id: `key_${key}`, tenant_id: `t${key % 1_000}` };
    return { atMs: START_MS + Math.floor((at / count) * SPAN_MS), attributes, cost: 1, wasAllowed: true, ...(share === undefined ? {} : { share }) };
  });
}

/** Rows of one set of columns. */
const BLOCK_ROWS = 16_384;
const NAMES = ['plan', 'endpoint', 'key_id', 'tenant_id'];

/** The same by columns, in blocks with dictionaries in common, as the embedded store hands them out. */
export function recordedColumns(requests: readonly ReplayRequest[]): readonly RequestColumns[] {
  const dictionaries = new Map(NAMES.map((name) => [name, new TextDictionary()]));
  const rules = new TextDictionary();
  return Array.from({ length: Math.ceil(requests.length / BLOCK_ROWS) }, (_, at) => {
    const rows = requests.slice(at * BLOCK_ROWS, (at + 1) * BLOCK_ROWS);
    const texts = ([name, dictionary]: [string, TextDictionary]): [string, TextColumn] => [name, { dictionary, codes: Int32Array.from(rows, ({ attributes }) => dictionary.codeOf(attributes[name])) }];
    return {
      length: rows.length,
      atMs: Float64Array.from(rows, ({ atMs }) => atMs),
      cost: Float64Array.from(rows, ({ cost }) => cost),
      share: Float64Array.from(rows, ({ share = 1 }) => share),
      allowed: Uint8Array.from(rows, ({ wasAllowed }) => (wasAllowed === true ? 1 : 0)),
      attributes: new Map([...dictionaries].map(texts)),
      moreAttributes: undefined,
      ruleId: { dictionary: rules, codes: new Int32Array(rows.length) },
    };
  });
}
