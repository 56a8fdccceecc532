import { durationText, parseDurationMs } from './duration.js';
import { type Parsed, variable, type Variable, type VariableName, type VariableOptions } from './variable.js';

interface Range {
  readonly min: number;
  readonly max: number;
}

function quoted(text: string, secret: boolean | undefined): string {
  return secret === true ? 'the value (not shown)' : JSON.stringify(text);
}

/** Any text without control characters; `pattern` narrows it. */
export function text(name: VariableName, options: VariableOptions<string> & { readonly pattern?: RegExp; readonly expects?: string } = {}): Variable<string> {
  return variable(name, options, (value) => {
    const fits = !/\p{Cc}/u.test(value) && (options.pattern?.test(value) ?? true);
    if (fits) return { ok: true, value };
    return { ok: false, why: `${quoted(value, options.secret)} is not ${options.expects ?? 'plain text'}` };
  });
}

/** An absolute URL with one of the protocols (`http:`). It may hold a password, so a fault never shows it. */
export function url(name: VariableName, options: VariableOptions<string> & { readonly protocols: readonly string[] }): Variable<string> {
  return variable(name, options, (value) => parseUrl(value, options.protocols));
}

function parseUrl(value: string, protocols: readonly string[]): Parsed<string> {
  if (URL.canParse(value) && protocols.includes(new URL(value).protocol)) return { ok: true, value };
  return { ok: false, why: `the value (not shown) is not a URL that starts with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}` };
}

/** A whole number from `min` to `max`, both included. */
export function integer(name: VariableName, options: VariableOptions<number> & Range): Variable<number> {
  const { min, max } = options;
  return variable(name, options, (value) => {
    const number = /^-?\d{1,16}$/.test(value) ? Number(value) : Number.NaN;
    if (Number.isSafeInteger(number) && number >= min && number <= max) return { ok: true, value: number };
    return { ok: false, why: `${quoted(value, options.secret)} is not a whole number from ${min} to ${max}` };
  });
}

/** `true` or `false`, nothing else: `yes`, `1` and `TRUE` have been guessed at too often. */
export function flag(name: VariableName, options: VariableOptions<boolean> = {}): Variable<boolean> {
  return variable(name, options, (value) => {
    if (value === 'true' || value === 'false') return { ok: true, value: value === 'true' };
    return { ok: false, why: `${quoted(value, options.secret)} is neither true nor false` };
  });
}

/** A span with its unit (`250ms`, `30s`, `5m`, `1h`, `2d`) in milliseconds, from `min` to `max` ms. */
export function durationMs(name: VariableName, options: VariableOptions<number> & Range): Variable<number> {
  const { min, max } = options;
  return variable(name, options, (value) => {
    const ms = parseDurationMs(value);
    if (ms !== undefined && ms >= min && ms <= max) return { ok: true, value: ms };
    const range = `must be from ${durationText(min)} to ${durationText(max)}`;
    return { ok: false, why: `${quoted(value, options.secret)} ${ms === undefined ? `is not a duration such as 250ms, 30s, 5m, 1h or 2d; it ${range}` : range}` };
  });
}

/** One of the choices. */
export function oneOf<const T extends string>(name: VariableName, choices: readonly T[], options: VariableOptions<NoInfer<T>> = {}): Variable<T> {
  return variable<T>(name, options, (value) => {
    const choice = choices.find((candidate) => candidate === value);
    if (choice !== undefined) return { ok: true, value: choice };
    return { ok: false, why: `${quoted(value, options.secret)} is not one of ${choices.join(', ')}` };
  });
}

/** A comma list of at least one item, each read as `item` reads it; blanks around items do not count. */
export function list<T>(item: Variable<T>, options: VariableOptions<readonly T[]> = {}): Variable<readonly T[]> {
  const secret = options.secret ?? item.secret;
  return variable<readonly T[]>(item.name, { ...options, secret }, (value) => {
    const values: T[] = [];
    for (const [index, part] of value.split(',').entries()) {
      const parsed: Parsed<T> = part.trim() === '' ? { ok: false, why: 'it is empty' } : item.parse(part.trim());
      if (!parsed.ok) return { ok: false, why: `item ${index + 1}: ${parsed.why}` };
      values.push(parsed.value);
    }
    return { ok: true, value: values };
  });
}
