import { highestRole, type RoleAlone, ROLES_ALONE } from '../role.js';

const OWN_NAMES: ReadonlyMap<string, RoleAlone> = new Map(ROLES_ALONE.map((role) => [role, role]));

/** The value of a claim: of the one of that name, such as `https://acme.example/roles`, or else by dots into objects, `realm_access.roles`. */
function claimAt(claims: object, path: string): unknown {
  const whole = ownOf(claims, path);
  return whole === undefined ? path.split('.').reduce<unknown>((value, name) => ownOf(value, name), claims) : whole;
}

function ownOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
}

/** An array of words, or one text with blanks between them, as `scope` is (RFC 6749 section 3.3). */
function wordsOf(claim: unknown): readonly string[] {
  if (typeof claim === 'string') return claim.split(/\s+/);
  return Array.isArray(claim) ? claim.filter((word) => typeof word === 'string') : [];
}

/** The highest role that the claims give; undefined where no word of theirs means one. */
export function claimedRole(claims: object, path: string, roleMap: ReadonlyMap<string, RoleAlone> = OWN_NAMES): RoleAlone | undefined {
  return highestRole(wordsOf(claimAt(claims, path)).flatMap((word) => roleMap.get(word) ?? []));
}
