import { jsonPointer } from './json-pointer.js';
import type { FieldFault } from './problem.js';

/** Deepest nesting that a body may have. Validators recurse; a body of 30,000 brackets would overflow their stack. */
const MAX_DEPTH = 32;

interface Node {
  readonly value: object;
  readonly path: readonly string[];
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/**
 * The first fault of a parsed JSON body that no validator of ours sees: nesting deeper than 32 levels, and names that every object
 * has already (`toString`), which class-transformer drops without a word. Without recursion.
 */
export function bodyFault(body: unknown): FieldFault | undefined {
  let level: Node[] = isObject(body) ? [{ value: body, path: [] }] : [];
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) return { pointer: '', detail: `must not nest deeper than ${MAX_DEPTH} levels` };
    const next: Node[] = [];
    for (const { value, path } of level) {
      for (const [name, child] of Object.entries(value)) {
        if (name in Object.prototype) return { pointer: jsonPointer([...path, name]), detail: `property ${name} should not exist` };
        if (isObject(child)) next.push({ value: child, path: [...path, name] });
      }
    }
    level = next;
  }
  return undefined;
}
