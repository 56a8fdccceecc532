import { closestName } from './closest-name.js';
import { ConfigError } from './config-error.js';
import { KNOWN_VARIABLES } from './known-variables.js';
import type { Variable } from './variable.js';

/** What an app reads: a variable for each property of its config object. */
export type ConfigSpec = Readonly<Record<string, Variable<unknown>>>;

/** The config object of a spec. */
export type Config<S extends ConfigSpec> = { readonly [K in keyof S]: S[K] extends Variable<infer T> ? T : never };

function read(variable: Variable<unknown>, text: string | undefined, faults: string[]): unknown {
  if (text === undefined) {
    if (variable.fallback !== undefined) return variable.fallback.value;
    faults.push(`${variable.name} is required`);
    return undefined;
  }
  // An empty value is more often a substitution that failed than a wish for the default.
  if (text.trim() === '') {
    faults.push(`${variable.name} is empty; unset it to take the default`);
    return undefined;
  }
  const parsed = variable.parse(text);
  if (parsed.ok) return Array.isArray(parsed.value) ? Object.freeze(parsed.value) : parsed.value;
  faults.push(`${variable.name}: ${parsed.why}`);
  return undefined;
}

function unknownNames(spec: ConfigSpec, env: Readonly<Record<string, string | undefined>>): string[] {
  const known = new Set([...KNOWN_VARIABLES, ...Object.values(spec).map((variable) => variable.name)]);
  return Object.keys(env)
    .filter((name) => name.startsWith('SLUICE_') && !name.startsWith('SLUICE_TEST_') && !known.has(name))
    .sort()
    .map((name) => {
      const meant = closestName(name, known);
      return `${name} is unknown${meant === undefined ? '' : `; did you mean ${meant}?`}`;
    });
}

/**
 * Reads an app's `SLUICE_*` variables into one frozen object.
 *
 * @throws ConfigError with all faults at once: what is required and absent, malformed, empty, or known to no app.
 */
export function loadConfig<S extends ConfigSpec>(spec: S, env: Readonly<Record<string, string | undefined>>): Config<S> {
  const faults: string[] = [];
  const values = Object.entries(spec).map(([key, variable]) => [key, read(variable, env[variable.name], faults)] as const);
  faults.push(...unknownNames(spec, env));
  if (faults.length > 0) throw new ConfigError(faults);
  // Every property went through its own variable's parser or fallback above, so that the shape is the spec's.
  return Object.freeze(Object.fromEntries(values)) as Config<S>;
}
