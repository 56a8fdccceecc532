import { inSlices, type SliceOptions } from '@sluice/rules';
import { parseJson } from './parse-json.js';

export type ParsedBody = { readonly kind: 'json'; readonly value: unknown } | { readonly kind: 'malformed'; readonly reason: string };

/**
 * The JSON of an answer, parsed in slices.
 *
 * @throws the reason of `slices.signal` once that is aborted, nothing else
 */
export async function parseBody(text: string, slices: SliceOptions): Promise<ParsedBody> {
  try {
    return { kind: 'json', value: await inSlices(parseJson(text), slices) };
  } catch (error) {
    slices.signal?.throwIfAborted();
    return { kind: 'malformed', reason: error instanceof Error ? error.message : String(error) };
  }
}
