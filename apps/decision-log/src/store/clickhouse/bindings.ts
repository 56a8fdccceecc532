import type { SqlBindings } from '../sql/sql-bindings.js';

/** The values of a statement: each comes into the text as a typed parameter, never as text. */
export class Bindings implements SqlBindings {
  readonly values: Record<string, number | string> = {};
  #count = 0;

  /** @returns the parameter as it stands in the text */
  integer(value: number): string {
    return this.#bind(value, 'Int64');
  }

  double(value: number): string {
    return this.#bind(value, 'Float64');
  }

  text(value: string): string {
    return this.#bind(value, 'String');
  }

  #bind(value: number | string, type: string): string {
    this.#count += 1;
    const name = `v${String(this.#count)}`;
    this.values[name] = value;
    return `{${name}:${type}}`;
  }
}
