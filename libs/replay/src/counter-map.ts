import type { RequestAttributes } from '@sluice/rules';
import { countedValue } from './counted-value.js';
import type { Counter } from './counter.js';

/** Counters by the values that a rule counts by, without a string made of them. */
export interface CounterMap {
  readonly size: number;
  get(attributes: RequestAttributes): Counter | undefined;
  set(attributes: RequestAttributes, counter: Counter): void;
}

/** @param names at least one, as the rule has them */
export function counterMap(names: readonly string[]): CounterMap {
  const [only] = names;
  return names.length === 1 && only !== undefined ? new ByOne(only) : new BySeveral(names);
}

class ByOne implements CounterMap {
  private readonly counters = new Map<string, Counter>();

  constructor(private readonly name: string) {}

  get size(): number {
    return this.counters.size;
  }

  get(attributes: RequestAttributes): Counter | undefined {
    return this.counters.get(countedValue(this.name, attributes));
  }

  set(attributes: RequestAttributes, counter: Counter): void {
    this.counters.set(countedValue(this.name, attributes), counter);
  }
}

interface Level {
  readonly next: Map<string, Level>;
  counter: Counter | undefined;
}

class BySeveral implements CounterMap {
  private readonly root: Level = { next: new Map(), counter: undefined };
  size = 0;

  constructor(private readonly names: readonly string[]) {}

  get(attributes: RequestAttributes): Counter | undefined {
    let level: Level | undefined = this.root;
    for (const name of this.names) {
      level = level.next.get(countedValue(name, attributes));
      if (level === undefined) return undefined;
    }
    return level.counter;
  }

  set(attributes: RequestAttributes, counter: Counter): void {
    let level = this.root;
    for (const name of this.names) {
      const value = countedValue(name, attributes);
      let next = level.next.get(value);
      if (next === undefined) {
        next = { next: new Map(), counter: undefined };
        level.next.set(value, next);
      }
      level = next;
    }
    if (level.counter === undefined) this.size += 1;
    level.counter = counter;
  }
}
