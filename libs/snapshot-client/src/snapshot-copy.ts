import { readFile } from 'node:fs/promises';
import { inSlices, type RuleIndex, type SliceOptions, type Snapshot, snapshotChecksumSteps } from '@sluice/rules';
import { copyText } from './copy-text.js';
import { parseJson } from './parse-json.js';
import { readBody } from './read-body.js';
import { replaceFile } from './replace-file.js';
import type { CopyFault } from './snapshot-client-options.js';

/** Of another format nothing is read: the node starts without a copy, as a new one does. */
const FORMAT = 1;

/** Rules as they were last in force here. */
export interface Restored {
  readonly snapshot: Snapshot;
  readonly index: RuleIndex;
  /** How long ago they were written, ms by the wall clock. */
  readonly ageMs: number;
}

/**
 * The last good snapshot in a file, so that a node can start while the control plane is away (R43). Written beside the requests and
 * replaced in one step: what is there is whole, or of the time before. A file that cannot be written costs an alarm, not the rules.
 */
export class SnapshotCopy {
  private next: { readonly snapshot: Snapshot; readonly checksum: string | undefined } | undefined;
  private writing: Promise<void> | undefined;

  constructor(
    private readonly path: string,
    private readonly onFault: (fault: CopyFault) => void,
    private readonly onWritten: () => void,
  ) {}

  /**
   * Writes the newest of what is given while a write is under way.
   * @param checksum of the snapshot, where it is known
   */
  save(snapshot: Snapshot, checksum: string | undefined): void {
    this.next = { snapshot, checksum };
    this.writing ??= this.write();
  }

  /** Resolves when all that was given is written, or could not be. */
  async settled(): Promise<void> {
    await this.writing;
  }

  /** Checked as what the control plane sends is, and by its checksum; undefined when there is none that is good, or the signal has aborted. */
  async load(slices: SliceOptions): Promise<Restored | undefined> {
    try {
      const text = await readFile(this.path, 'utf8');
      const { format, checksum, snapshot, saved_at: savedAt } = fieldsOf(await inSlices(parseJson(text), slices));
      if (format !== FORMAT) throw new Error('it is of another format');
      const read = await readBody(snapshot, undefined, undefined, slices);
      if (read.kind !== 'whole') throw new Error(read.kind === 'refused' ? read.reason : 'it holds changes only');
      if ((await inSlices(snapshotChecksumSteps(read.snapshot), slices)) !== checksum) throw new Error('its checksum is wrong');
      const ageMs = Math.max(0, Date.now() - Date.parse(String(savedAt)));
      return { snapshot: read.snapshot, index: read.index, ageMs: Number.isFinite(ageMs) ? ageMs : 0 };
    } catch (error) {
      if (slices.signal?.aborted === true) return undefined;
      if (isMissing(error)) this.onFault({ kind: 'missing', reason: `there is no copy of the rules in ${this.path}` });
      else this.onFault({ kind: 'read', reason: `the copy of the rules in ${this.path} is of no use: ${messageOf(error)}` });
      return undefined;
    }
  }

  private async write(): Promise<void> {
    while (this.next !== undefined) {
      const { snapshot, checksum } = this.next;
      this.next = undefined;
      try {
        const head = { format: FORMAT, saved_at: new Date().toISOString(), checksum: checksum ?? (await inSlices(snapshotChecksumSteps(snapshot))) };
        await replaceFile(this.path, copyText(head, snapshot));
        this.onWritten();
      } catch (error) {
        this.onFault({ kind: 'write', reason: `the copy of the rules in ${this.path} was not written: ${messageOf(error)}` });
      }
    }
    this.writing = undefined;
  }
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function isMissing(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'ENOENT';
}

function messageOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : String(error);
}
