import type { OpenAPIObject } from '@nestjs/swagger';

type Paths = OpenAPIObject['paths'];

/** How a caller can say who it is (R62); the control plane knows the tokens. */
export const SECURITY_SCHEMES = {
  token: { type: 'http', scheme: 'bearer', description: 'A token of the control plane: of `POST /v1/tokens` (`slu_…`), or one of its environment.' },
  oidc: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'An access token of the OIDC issuer that the control plane is configured with.' },
} as const;

const METHODS = ['get', 'put', 'post', 'patch', 'delete'] as const;

/** What `@Access` says of each operation, as its security: the least roles, any of which is enough, by either scheme. */
export function withRoleSecurity(paths: Paths): Paths {
  return Object.fromEntries(
    Object.entries(paths).map(([path, item]) => {
      const operations = METHODS.flatMap((method) => {
        const operation = item[method];
        const roles: unknown = operation === undefined ? undefined : Reflect.get(operation, 'x-sluice-roles');
        if (operation === undefined || !Array.isArray(roles)) return [];
        const security = roles.flatMap((role) => Object.keys(SECURITY_SCHEMES).map((scheme) => ({ [scheme]: [String(role)] })));
        const description = [operation.description, `Takes the role ${roles.join(' or ')}.`].filter((text) => text !== undefined).join('\n\n');
        return [[method, { ...operation, description, security }] as const];
      });
      return [path, { ...item, ...Object.fromEntries(operations) }];
    }),
  );
}
