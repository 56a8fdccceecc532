import { type Config, list, optional, type Parsed, text, variable, type Variable, type VariableName } from '@sluice/platform';
import { type RoleAlone, ROLES_ALONE } from '../role.js';
import { isSafeUrl, type OidcConfig } from './oidc-config.js';

function safeUrl(name: VariableName): Variable<string> {
  return variable<string>(name, {}, (value) => (isSafeUrl(value) ? { ok: true, value } : { ok: false, why: 'it is not a URL that starts with https://, without user and password (http:// on this machine alone)' }));
}

function roleMapping(name: VariableName): Variable<readonly [string, RoleAlone]> {
  return variable<readonly [string, RoleAlone]>(name, {}, (value): Parsed<readonly [string, RoleAlone]> => {
    const at = value.lastIndexOf('=');
    const role = ROLES_ALONE.find((each) => each === value.slice(at + 1).trim());
    const claimed = value.slice(0, Math.max(0, at)).trim();
    if (claimed !== '' && role !== undefined) return { ok: true, value: [claimed, role] };
    return { ok: false, why: `${JSON.stringify(value)} is not the issuer's word, "=" and one of ${ROLES_ALONE.join(', ')}` };
  });
}

/** The variables of the OIDC issuer; without the first two there is none. */
export const OIDC_VARIABLES = {
  oidcIssuer: optional(safeUrl('SLUICE_OIDC_ISSUER')),
  oidcAudiences: optional(list(text('SLUICE_OIDC_AUDIENCE'))),
  oidcJwksUrl: optional(safeUrl('SLUICE_OIDC_JWKS_URL')),
  oidcRoleClaim: text('SLUICE_OIDC_ROLE_CLAIM', { default: 'roles' }),
  oidcRoleMap: optional(list(roleMapping('SLUICE_OIDC_ROLE_MAP'))),
} as const;

/** What lacks: all or none, since half of them would be a door that nobody meant to leave shut. */
export function oidcFaults(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  const given = Object.values(OIDC_VARIABLES).map(({ name }) => name).filter((name) => env[name] !== undefined);
  if (given.length === 0) return [];
  return [OIDC_VARIABLES.oidcIssuer.name, OIDC_VARIABLES.oidcAudiences.name].filter((name) => env[name] === undefined).map((name) => `${name} is required where ${given.join(', ')} is set`);
}

/** The issuer that the variables name, if they do. */
export function oidcConfig({ oidcIssuer, oidcAudiences, oidcJwksUrl, oidcRoleClaim, oidcRoleMap }: Config<typeof OIDC_VARIABLES>): OidcConfig | undefined {
  if (oidcIssuer === undefined || oidcAudiences === undefined) return undefined;
  return { issuer: oidcIssuer, audiences: oidcAudiences, jwksUrl: oidcJwksUrl, roleClaim: oidcRoleClaim, roleMap: oidcRoleMap && new Map(oidcRoleMap) };
}
