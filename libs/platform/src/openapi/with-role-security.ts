import type { OpenAPIObject } from '@nestjs/swagger';

type Paths = OpenAPIObject['paths'];

const METHODS = ['get', 'put', 'post', 'patch', 'delete'] as const;

/**
 * What `@Access` says of each operation (`x-sluice-roles`), as its security (R62): the least roles, any of which is enough, by any of the schemes. A higher role has
 * what the lower ones have.
 */
export function withRoleSecurity(paths: Paths, schemes: readonly string[]): Paths {
  return Object.fromEntries(
    Object.entries(paths).map(([path, item]) => {
      const operations = METHODS.flatMap((method) => {
        const operation = item[method];
        const roles: unknown = operation === undefined ? undefined : Reflect.get(operation, 'x-sluice-roles');
        if (operation === undefined || !Array.isArray(roles)) return [];
        const security = roles.flatMap((role) => schemes.map((scheme) => ({ [scheme]: [String(role)] })));
        const description = [operation.description, `Takes the role ${roles.join(' or ')}.`].filter((text) => text !== undefined).join('\n\n');
        return [[method, { ...operation, description, security }] as const];
      });
      return [path, { ...item, ...Object.fromEntries(operations) }];
    }),
  );
}
