import { applyDecorators } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiExtension } from '@nestjs/swagger';
import type { Role } from './role.js';

/** The least roles that open a route; one of them is enough. A route of the API without it stops the start (R62). */
export function Access(...roles: readonly [Role, ...Role[]]): MethodDecorator {
  return applyDecorators(RouteConfig({ access: roles }), ApiExtension('x-sluice-roles', roles));
}
