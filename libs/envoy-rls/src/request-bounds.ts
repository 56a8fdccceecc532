/** More in one request than any route has use for; each is a counter of one atomic step at least. */
export const MAX_DESCRIPTORS = 64;
/** In one descriptor. */
export const MAX_ENTRIES = 32;

/** What is wrong with a request of more descriptors. */
export const TOO_MANY_DESCRIPTORS = `descriptors must have at most ${MAX_DESCRIPTORS} entries`;

/** What is wrong with a descriptor of more entries. @param at its place in the request */
export function tooManyEntries(at: number): string {
  return `descriptors[${at}].entries must have at most ${MAX_ENTRIES} entries`;
}
