import type { Check } from './checks.js';
import { pointerTo } from './fault.js';
import type { FaultList } from './fault-list.js';
import { eachInSteps, type Steps } from './steps.js';

/**
 * Reads the own fields of one JSON object. What an object inherits is never read, so `__proto__` and `constructor` are
 * unknown fields like any other.
 */
export class ObjectReader {
  private constructor(
    private readonly fields: Readonly<Record<string, unknown>>,
    readonly pointer: string,
    readonly faults: FaultList,
  ) {}

  /** Undefined, after a fault, when `json` is no object. Each field that is not `known` is a fault. */
  static open(json: unknown, pointer: string, faults: FaultList, known: readonly string[]): ObjectReader | undefined {
    if (!isJsonObject(json)) {
      faults.push({ pointer, detail: 'must be an object' });
      return undefined;
    }
    for (const name of Object.keys(json)) {
      if (faults.isFull) break;
      if (!known.includes(name)) faults.push({ pointer: pointerTo(pointer, name), detail: 'is not a known field' });
    }
    return new ObjectReader(json, pointer, faults);
  }

  has(name: string): boolean {
    return Object.hasOwn(this.fields, name);
  }

  optional<T>(name: string, check: Check<T>): T | undefined {
    // Known names need no escaping, and this runs for each field of a snapshot.
    return this.has(name) ? check(this.fields[name], `${this.pointer}/${name}`, this.faults) : undefined;
  }

  required<T>(name: string, check: Check<T>): T | undefined {
    if (!this.has(name)) {
      this.fault(name, 'is required');
      return undefined;
    }
    return this.optional(name, check);
  }

  /** As `required(name, listOf(check))`, for a list that may be long. */
  *requiredList<T>(name: string, check: Check<T>): Steps<readonly T[] | undefined> {
    const list = this.required(name, array);
    if (list === undefined) return undefined;
    const items: T[] = [];
    yield* eachInSteps(untilFull(list, this.faults), (item, index) => readItem(items, check, item, `${this.pointer}/${name}/${index}`, this.faults));
    return items;
  }

  fault(name: string, detail: string): void {
    this.faults.push({ pointer: pointerTo(this.pointer, name), detail });
  }
}

export function isJsonObject(json: unknown): json is Readonly<Record<string, unknown>> {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}

/** Every item by `check`, under its index, until there are faults enough. Faulty items are left out, and their faults stand. */
export function listOf<T>(check: Check<T>): Check<readonly T[]> {
  return (value, pointer, faults) => {
    const list = array(value, pointer, faults);
    if (list === undefined) return undefined;
    const items: T[] = [];
    let index = 0;
    for (const item of untilFull(list, faults)) readItem(items, check, item, `${pointer}/${index++}`, faults);
    return items;
  };
}

const array: Check<readonly unknown[]> = (value, pointer, faults) => {
  if (Array.isArray(value)) return value;
  faults.push({ pointer, detail: 'must be an array' });
  return undefined;
};

function* untilFull<T>(list: readonly T[], faults: FaultList): Generator<T, void> {
  for (const item of list) {
    if (faults.isFull) return;
    yield item;
  }
}

function readItem<T>(items: T[], check: Check<T>, item: unknown, pointer: string, faults: FaultList): void {
  const checked = check(item, pointer, faults);
  if (checked !== undefined) items.push(checked);
}
