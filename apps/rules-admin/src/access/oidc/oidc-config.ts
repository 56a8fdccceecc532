import type { RoleAlone } from '../role.js';

/** The issuer whose JWTs open the API. */
export interface OidcConfig {
  /** As `iss` has it, to the character. */
  readonly issuer: string;
  /** One of these has to be in `aud`. */
  readonly audiences: readonly string[];
  /** Where its keys are; absent: where its discovery document says. */
  readonly jwksUrl?: string | undefined;
  /** The claim that has the roles; a path with dots into objects, unless there is a claim of the whole name. Default `roles`. */
  readonly roleClaim?: string;
  /** The issuer's word for a role to ours. Default: `viewer`, `editor`, `admin` and `node` by their names. */
  readonly roleMap?: ReadonlyMap<string, RoleAlone> | undefined;
  /** Least time between two fetches of its keys for the sake of an unknown one; default 30 s. */
  readonly keyCooldownMs?: number;
}

/** Over plain HTTP anybody on the way could hand out keys; on this machine nobody is on the way. */
export function isSafeUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  if (username !== '' || password !== '') return false;
  return protocol === 'https:' || (protocol === 'http:' && /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/.test(hostname));
}
