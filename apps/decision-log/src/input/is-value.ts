import { MAX_ATTRIBUTE_CHARS } from '@sluice/events';
import { ValidateBy } from 'class-validator';

/** Longest value that an event has anywhere. */
export const LONGEST_VALUE = MAX_ATTRIBUTE_CHARS;

/** A parameter that is compared with what events hold: given once, 1 to 256 UTF-16 units of well-formed Unicode without NUL. */
export function IsValue(): PropertyDecorator {
  return ValidateBy({
    name: 'isValue',
    validator: {
      validate: (value: unknown) => typeof value === 'string' && value.length >= 1 && value.length <= LONGEST_VALUE && !/[\0\p{Surrogate}]/u.test(value),
      defaultMessage: () => `must be given once, 1 to ${LONGEST_VALUE} characters`,
    },
  });
}
