import type { ValidationError } from 'class-validator';
import { jsonPointer } from './json-pointer.js';
import type { FieldFault } from './problem.js';

/** Flattens class-validator's tree of errors into faults with pointers; `root` comes before each (`query`, `path`; empty for a body). */
export function fieldFaults(errors: readonly ValidationError[], root: readonly string[] = []): FieldFault[] {
  return errors.flatMap((error) => {
    const path = [...root, error.property];
    const own = Object.values(error.constraints ?? {}).map((detail) => ({ pointer: jsonPointer(path), detail }));
    return [...own, ...fieldFaults(error.children ?? [], path)];
  });
}
