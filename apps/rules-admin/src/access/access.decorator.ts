import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';
import type { Role } from './role.js';

/** Where the guard finds the roles of a route. */
export const ACCESS = 'sluice:access';

/** The least roles that open a route; one of them is enough. A route without it is closed to everybody (R62). */
export function Access(...roles: readonly [Role, ...Role[]]): MethodDecorator {
  return applyDecorators(SetMetadata(ACCESS, roles), ApiExtension('x-sluice-roles', roles));
}
