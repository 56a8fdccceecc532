/** Codings that a body can be had in (RFC 9110 section 8.4.1), the best first. */
export const CODINGS = ['br', 'gzip', 'identity'] as const;
export type ContentCoding = (typeof CODINGS)[number];

const ELEMENT = /^([!#$%&'*+\-.^_`|~0-9a-z]+)(?:[ \t]*;[ \t]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/;

/**
 * The coding to answer in: the one that the caller weighs highest, of equal ones the smallest (RFC 9110 section 12.5.3). Without the field, or when
 * nothing that is at hand is acceptable, the body as it is: that is what the section asks for, and a node is served better by it than by a 406.
 */
export function codingFor(acceptEncoding: string | undefined): ContentCoding {
  if (acceptEncoding === undefined) return 'identity';
  const weights = weightsOf(acceptEncoding);
  const weightOf = (coding: ContentCoding): number => weights.get(coding) ?? weights.get('*') ?? (coding === 'identity' ? LEAST : 0);
  let chosen: ContentCoding = 'identity';
  let weight = 0;
  for (const coding of CODINGS) {
    if (weightOf(coding) <= weight) continue;
    chosen = coding;
    weight = weightOf(coding);
  }
  return chosen;
}

/** The weight of identity where it is not named: acceptable, behind whatever is named. */
const LEAST = 0.0001;

/** An element that is not well formed says nothing. `x-gzip` is `gzip` (section 8.4.1.3). */
function weightsOf(field: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const element of field.toLowerCase().split(',')) {
    const [, name, q = '1'] = ELEMENT.exec(element.trim()) ?? [];
    if (name !== undefined) weights.set(name === 'x-gzip' ? 'gzip' : name, Number(q));
  }
  return weights;
}
