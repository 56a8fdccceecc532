import { ValidateIf } from 'class-validator';

/** The field may be absent. Not class-validator's `IsOptional`, which lets `null` pass whatever the other decorators say. */
export function MayBeAbsent(): PropertyDecorator {
  return ValidateIf((_object, value) => value !== undefined);
}
