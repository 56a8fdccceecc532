/** A variable's name; every variable of Sluice starts so. */
export type VariableName = `SLUICE_${string}`;

/** What came of reading one value: the value, or why it cannot be one. The reason never repeats the text of a secret. */
export type Parsed<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly why: string };

/** One `SLUICE_*` variable: its name, how its text is read, and what stands in when it is absent. */
export interface Variable<T> {
  readonly name: VariableName;
  /** Its text is never printed, not even in a fault. */
  readonly secret: boolean;
  /** Taken when the variable is absent; without one the variable is required. */
  readonly fallback: { readonly value: T } | undefined;
  parse(text: string): Parsed<T>;
}

/** What every kind of variable may say. */
export interface VariableOptions<T> {
  readonly default?: T;
  readonly secret?: boolean;
}

/** Makes a variable of any kind out of its parser. */
export function variable<T>(name: VariableName, options: VariableOptions<T>, parse: (text: string) => Parsed<T>): Variable<T> {
  const fallback = options.default === undefined ? undefined : { value: options.default };
  return { name, secret: options.secret ?? false, fallback, parse };
}

/** The same variable, `undefined` when it is absent. */
export function optional<T>(required: Variable<T>): Variable<T | undefined> {
  return { ...required, fallback: required.fallback ?? { value: undefined } };
}
