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

/** What every object has, and no body may name. */
const INHERITED: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype));

/**
 * The first fault of a parsed JSON body that no validator of ours sees: nesting deeper than 32 levels, and names that every object
 * has already (`toString`), which class-transformer drops without a word.
 */
export function bodyFault(body: unknown): FieldFault | undefined {
  return !isObject(body) || isSound(body, 1) ? undefined : faultIn(body);
}

/** Without paths, which only a fault needs. Its recursion ends where nesting has to. */
function isSound(value: object, depth: number): boolean {
  if (depth > MAX_DEPTH) return false;
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at += 1) {
      const child: unknown = value[at];
      if (isObject(child) && !isSound(child, depth + 1)) return false;
    }
    return true;
  }
  const fields = value as Readonly<Record<string, unknown>>;
  for (const name in fields) {
    if (INHERITED.has(name)) return false;
    const child = fields[name];
    if (isObject(child) && !isSound(child, depth + 1)) return false;
  }
  return true;
}

function faultIn(body: object): FieldFault | undefined {
  let level: Node[] = [{ value: body, path: [] }];
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) return { pointer: '', detail: `must not nest deeper than ${MAX_DEPTH} levels` };
    const next: Node[] = [];
    for (const { value, path } of level) {
      for (const [name, child] of Object.entries(value)) {
        if (INHERITED.has(name)) return { pointer: jsonPointer([...path, name]), detail: `property ${name} should not exist` };
        if (isObject(child)) next.push({ value: child, path: [...path, name] });
      }
    }
    level = next;
  }
  return undefined;
}
