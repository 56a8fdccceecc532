import { TextDictionary, type ReplayRequest, type RequestColumns, type TextColumn } from '../../src/index.js';

const NAMES = ['plan', 'endpoint', 'key_id', 'ip'];

/** Requests as the columns of a store, with dictionaries of their own. */
export function columnsOf(requests: readonly ReplayRequest[]): RequestColumns {
  const texts = (read: (request: ReplayRequest) => string | undefined): TextColumn => {
    const dictionary = new TextDictionary();
    return { dictionary, codes: Int32Array.from(requests, (request) => dictionary.codeOf(read(request))) };
  };
  return {
    length: requests.length,
    atMs: Float64Array.from(requests, ({ atMs }) => atMs),
    cost: Float64Array.from(requests, ({ cost }) => cost),
    share: Float64Array.from(requests, ({ share = 1 }) => share),
    allowed: Uint8Array.from(requests, ({ wasAllowed }) => (wasAllowed === false ? 0 : 1)),
    attributes: new Map(NAMES.map((name) => [name, texts(({ attributes }) => attributes[name])])),
    moreAttributes: undefined,
    ruleId: texts(({ refusedBy }) => refusedBy),
  };
}
