import { type FieldFault, jsonPointer } from '@sluice/platform';

/** Where something stands in a body. */
export type JsonPath = readonly (string | number)[];

/** Nobody reads more of them, and a hostile body can have thousands. */
export const MAX_FAULTS = 200;
const NONE: readonly FieldFault[] = [];

/** The faults of one body: the first {@link MAX_FAULTS} are kept. Free for what has none. */
export class Faults {
  private kept: FieldFault[] | undefined;
  private told = 0;

  /** How many there were. */
  get count(): number {
    return this.told;
  }

  get isFull(): boolean {
    return this.told >= MAX_FAULTS;
  }

  get all(): readonly FieldFault[] {
    return this.kept ?? NONE;
  }

  /** @param name the field below `path` that is meant; undefined: what stands at the path */
  add(path: JsonPath, name: string | number | undefined, detail: string): void {
    this.told += 1;
    if (this.told > MAX_FAULTS) return;
    this.kept ??= [];
    this.kept.push({ pointer: jsonPointer(name === undefined ? path : [...path, name]), detail });
  }
}
