import { ValidateBy } from 'class-validator';

/** Text for people: 1 to `maxLength` UTF-16 units without control characters. */
export function IsText(maxLength: number): PropertyDecorator {
  return ValidateBy({
    name: 'isText',
    validator: {
      validate: (value: unknown) => typeof value === 'string' && value.length >= 1 && value.length <= maxLength && !/\p{Cc}/u.test(value),
      defaultMessage: () => `must be a string of 1 to ${maxLength} characters, none of them a control character`,
    },
  });
}
