/** The RFC 6901 pointer of a path; `~` and `/` in a name are escaped as section 3 says. */
export function jsonPointer(path: readonly (string | number)[]): string {
  return path.map((segment) => `/${String(segment).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
