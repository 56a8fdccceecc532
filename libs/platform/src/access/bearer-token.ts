/** More than any token of ours, and than a JWT should have: what is longer is not looked at. */
const LONGEST = 8_192;

/** The token of an `Authorization` field (RFC 6750 section 2.1); `malformed` for what is no bearer token, undefined without the field. */
export function bearerToken(field: string | undefined): { readonly token: string } | 'malformed' | undefined {
  if (field === undefined) return undefined;
  // Visible ASCII without the comma, which would make two fields of one: environments hold tokens that are not in base64.
  const token = field.length > LONGEST + 'Bearer '.length ? undefined : /^Bearer +([\x21-\x2b\x2d-\x7e]+)$/i.exec(field)?.[1];
  return token === undefined ? 'malformed' : { token };
}
