import { MAX_ATTRIBUTE_CHARS } from '@sluice/events';
import { ValidateBy } from 'class-validator';

/** Longest name that an event has anywhere. */
export const LONGEST_VALUE = MAX_ATTRIBUTE_CHARS;
/** Longest value of an attribute that is looked for: as a request had it, while events have what is longer than {@link LONGEST_VALUE} cut and hashed. */
export const LONGEST_ATTRIBUTE = 8_192;

/** A parameter that is compared with what events hold: given once, 1 to 256 UTF-16 units of well-formed Unicode without NUL. */
export function IsValue(longest = LONGEST_VALUE): PropertyDecorator {
  return ValidateBy({
    name: 'isValue',
    validator: {
      validate: (value: unknown) => typeof value === 'string' && value.length >= 1 && value.length <= longest && !/[\0\p{Surrogate}]/u.test(value),
      defaultMessage: () => `must be given once, 1 to ${longest} characters`,
    },
  });
}

/** An attribute as the request had it; to be compared as `attributeText` of it. */
export function IsAttribute(): PropertyDecorator {
  return IsValue(LONGEST_ATTRIBUTE);
}
