/** An entity tag (RFC 9110 section 8.8.3). */
export interface EntityTag {
  readonly weak: boolean;
  /** What is between the quotes. */
  readonly opaque: string;
}

/** The list of a conditional header field: any tag at all, or some. */
export type EntityTags = '*' | readonly EntityTag[];

/** A tag and the comma, or the end, after it. Empty list elements are let be, as RFC 9110 section 5.6.1.2 asks. */
const TAG = /^[ \t,]*(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"[ \t]*(?:,|$)/;

/** Reads `If-Match` or `If-None-Match`; undefined when it is not well formed, so that it matches nothing. */
export function parseEntityTags(field: string): EntityTags | undefined {
  if (field.trim() === '*') return '*';
  const tags: EntityTag[] = [];
  let rest = field;
  while (!/^[ \t,]*$/.test(rest)) {
    const match = TAG.exec(rest);
    if (match === null) return undefined;
    tags.push({ weak: match[1] !== undefined, opaque: match[2] ?? '' });
    rest = rest.slice(match[0].length);
  }
  return tags.length > 0 ? tags : undefined;
}

/** Strong comparison, for `If-Match`: a weak tag never matches (RFC 9110 section 8.8.3.2). */
export function matchesStrongly(tags: EntityTags, opaque: string): boolean {
  return tags === '*' || tags.some((tag) => !tag.weak && tag.opaque === opaque);
}

/** Weak comparison, for `If-None-Match`. */
export function matchesWeakly(tags: EntityTags, opaque: string): boolean {
  return tags === '*' || tags.some((tag) => tag.opaque === opaque);
}

/** The strong tag as a header field's value. */
export function strongTag(opaque: string): string {
  return `"${opaque}"`;
}

/** The opaque tag of one version of a resource. */
export function versionTag(version: number): string {
  return `v${version}`;
}
