/** Reads the fields of one object of a configuration and tells what is wrong with them. */
export class ConfigFields {
  private readonly known = new Set<string>();

  /** @param at how people find it: `patterns[2]` */
  constructor(
    private readonly fields: Readonly<Record<string, unknown>>,
    private readonly at: string,
    private readonly faults: string[],
  ) {}

  static of(value: unknown, at: string, faults: string[]): ConfigFields | undefined {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return new ConfigFields({ ...value }, at, faults);
    faults.push(`${at === '' ? 'the whole' : at} must be an object`);
    return undefined;
  }

  has(name: string): boolean {
    return this.fields[name] !== undefined;
  }

  /** Marks the field as known. */
  raw(name: string): unknown {
    this.known.add(name);
    return Object.hasOwn(this.fields, name) ? this.fields[name] : undefined;
  }

  number(name: string, bounds: { readonly min: number; readonly max: number; readonly integer?: boolean; readonly fallback?: number }): number {
    const { min, max, integer = true, fallback } = bounds;
    const value = this.raw(name) ?? fallback;
    if (typeof value === 'number' && value >= min && value <= max && (!integer || Number.isSafeInteger(value))) return value;
    this.fault(name, `must be ${integer ? 'an integer' : 'a number'} from ${min} to ${max}`);
    return min;
  }

  oneOf<T extends string>(name: string, choices: readonly T[], fallback?: T): T | undefined {
    const value = this.raw(name) ?? fallback;
    const choice = choices.find((one) => one === value);
    if (choice === undefined) this.fault(name, `must be one of ${choices.join(', ')}`);
    return choice;
  }

  flag(name: string, fallback: boolean): boolean {
    const value = this.raw(name) ?? fallback;
    if (typeof value === 'boolean') return value;
    this.fault(name, 'must be true or false');
    return fallback;
  }

  text(name: string, pattern: RegExp, expects: string): string | undefined {
    const value = this.raw(name);
    if (typeof value === 'string' && pattern.test(value)) return value;
    this.fault(name, `must be ${expects}`);
    return undefined;
  }

  fault(name: string, what: string): void {
    this.faults.push(`${this.at === '' ? name : `${this.at}.${name}`} ${what}`);
  }

  /** To be called when all that may be there was read. */
  refuseUnknown(): void {
    for (const name of Object.keys(this.fields)) if (!this.known.has(name)) this.fault(name, `is not known; known are ${[...this.known].join(', ')}`);
  }
}
