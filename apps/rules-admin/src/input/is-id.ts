import { applyDecorators } from '@nestjs/common';
import { IsString, Matches, type ValidationOptions } from 'class-validator';

/** Ids of plans, tenants, keys and rules: what `@sluice/rules` takes, so that every stored id can be in a snapshot. */
export const ID_PATTERN = '^[a-zA-Z0-9][a-zA-Z0-9_.-]{0,63}$';

/** A well-formed id. */
export function IsId(options?: ValidationOptions): PropertyDecorator {
  const message = `must be an id: 1 to 64 of a-z, A-Z, 0-9, "_", "." and "-", a letter or digit first`;
  return applyDecorators(IsString({ ...options, message }), Matches(new RegExp(ID_PATTERN), { ...options, message }));
}
