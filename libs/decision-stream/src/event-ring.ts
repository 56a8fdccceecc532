import type { RequestAttributes } from '@sluice/rules';
import type { Noted, Subject } from './noted.js';

/** Characters of attributes that may wait, for each slot: about twice what requests have, and a bound on what an attacker's long ones hold. */
const CHARS_A_SLOT = 512;
/** What an attribute holds beside its name and value: two references and the heads of two texts, in characters. */
const ATTRIBUTE_CHARS = 32;

/**
 * What waits to be written, first in, first out. All slots are made at the start: taking something in writes into them and allocates nothing. Full is
 * full by the number of events, or by the length of the attributes, names and values, that they keep alive.
 */
export class EventRing {
  private readonly mask: number;
  private readonly subjects: (Subject | undefined)[];
  private readonly attributes: (RequestAttributes | undefined)[];
  private readonly sequences: Float64Array;
  private readonly shares: Float64Array;
  private readonly times: Float64Array;
  private readonly versions: Float64Array;
  private readonly lengths: Uint32Array;
  private first = 0;
  private chars = 0;
  private held = 0;

  /** @param capacity a power of two. */
  constructor(capacity: number) {
    this.mask = capacity - 1;
    this.subjects = new Array<Subject | undefined>(capacity).fill(undefined);
    this.attributes = new Array<RequestAttributes | undefined>(capacity).fill(undefined);
    this.sequences = new Float64Array(capacity);
    this.shares = new Float64Array(capacity);
    this.times = new Float64Array(capacity);
    this.versions = new Float64Array(capacity);
    this.lengths = new Uint32Array(capacity);
  }

  /** Events that wait. */
  get waiting(): number {
    return this.held;
  }

  /** Takes it in; false when there is no room. Times and versions are {@link Noted}'s. */
  offer(sequence: number, subject: Subject, attributes: RequestAttributes, share: number, atMs: number, snapshotVersion: number): boolean {
    if (this.held > this.mask) return false;
    const length = lengthOf(attributes);
    if (this.chars + length > this.subjects.length * CHARS_A_SLOT) return false;
    const slot = (this.first + this.held) & this.mask;
    this.subjects[slot] = subject;
    this.attributes[slot] = attributes;
    this.sequences[slot] = sequence;
    this.shares[slot] = share;
    this.times[slot] = atMs;
    this.versions[slot] = snapshotVersion;
    this.lengths[slot] = length;
    this.chars += length;
    this.held += 1;
    return true;
  }

  /** The oldest, whose slot is free then; undefined when nothing waits. */
  take(): Noted | undefined {
    const slot = this.first;
    const subject = this.subjects[slot];
    const attributes = this.attributes[slot];
    if (this.held === 0 || subject === undefined || attributes === undefined) return undefined;
    const noted = {
      sequence: this.sequences[slot] ?? 0,
      subject,
      attributes,
      share: this.shares[slot] ?? 1,
      atMs: this.times[slot] ?? 0,
      snapshotVersion: this.versions[slot] ?? 0,
    };
    // What the slot refers to must be able to go.
    this.subjects[slot] = undefined;
    this.attributes[slot] = undefined;
    this.chars -= this.lengths[slot] ?? 0;
    this.first = (slot + 1) & this.mask;
    this.held -= 1;
    return noted;
  }
}

/** A caller may choose the names, too, and have as many as it likes. */
function lengthOf(attributes: RequestAttributes): number {
  let length = 0;
  for (const name in attributes) length += ATTRIBUTE_CHARS + name.length + (attributes[name]?.length ?? 0);
  return length;
}
