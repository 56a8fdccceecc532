import { ValidateBy } from 'class-validator';

/** Longest attribute value that an event has. */
export const LONGEST_VALUE = 256;

/** A parameter that is compared with what events hold: given once, 1 to 256 UTF-16 units, no NUL. */
export function IsValue(): PropertyDecorator {
  return ValidateBy({
    name: 'isValue',
    validator: {
      validate: (value: unknown) => typeof value === 'string' && value.length >= 1 && value.length <= LONGEST_VALUE && !value.includes('\0'),
      defaultMessage: () => `must be given once, 1 to ${LONGEST_VALUE} characters`,
    },
  });
}
