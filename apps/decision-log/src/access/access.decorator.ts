import { applyDecorators } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiExtension } from '@nestjs/swagger';
import type { CallerRole } from './caller-role.js';

/**
 * The least roles that open a route; one of them is enough, and a higher one has what the lower ones have. Tenants' tokens only where `tenant` is named: such
 * a route has to narrow its filter by `ownOnly`. A route of the API without it stops the start (R62).
 */
export function Access(...roles: readonly [CallerRole, ...CallerRole[]]): MethodDecorator {
  return applyDecorators(RouteConfig({ access: roles }), ApiExtension('x-sluice-roles', roles));
}
