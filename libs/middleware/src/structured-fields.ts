/** Most that an Integer of a structured field can be: 15 digits (RFC 9651, section 3.3.1). */
export const SF_INTEGER_MAX = 999_999_999_999_999;

/** An Integer of a structured field: whole, at least `min`, clamped to 15 digits instead of being malformed and ignored. */
export function sfInteger(value: number, min = 0): string {
  if (!(value > min)) return String(min);
  return String(Math.min(Math.ceil(value), SF_INTEGER_MAX));
}

/**
 * A String of a structured field (RFC 9651, section 3.3.3): printable ASCII, `"` and `\` escaped. Policy names are
 * `[a-z0-9_.-]{1,64}`; anything else that gets here becomes `?` rather than breaking the field for the client.
 */
export function sfString(text: string): string {
  if (/^[a-z0-9_.-]*$/.test(text)) return `"${text}"`;
  return `"${text.replaceAll(/[^\x20-\x7e]/g, '?').replaceAll(/["\\]/g, '\\$&')}"`;
}
