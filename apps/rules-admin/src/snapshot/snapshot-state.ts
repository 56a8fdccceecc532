import { inSlices } from '@sluice/rules';
import { EncodedBody } from './encoded-body.js';
import type { PublishedAge } from './published-age.js';
import { wholeBody } from './whole-body.js';
import { HeldTags, type TaggedVersion } from './snapshot-tag.js';
import type { SnapshotItem } from './snapshot-part.js';
import { PART_NAMES, type SnapshotParts } from './snapshot-parts.js';

/** What a version is made of. */
export interface StateParts extends TaggedVersion {
  readonly parts: SnapshotParts;
  /** Of the whole, as `snapshotChecksum` of @sluice/rules has it. */
  readonly checksum: string;
  /** Undefined where the log does not have the version. */
  readonly published: PublishedAge | undefined;
  /** Deletions up to this version may be missing: changes since an older one cannot be told. */
  readonly deletionsForgottenUpTo: number;
}

/** Deltas kept at a time: nodes that poll in step hold one of few versions, and each may be nearly as large as the whole. */
const DELTAS_KEPT = 16;

/** Everything that can be said of one snapshot version, made once and served to every node. */
export class SnapshotState implements StateParts {
  readonly version: number;
  readonly epoch: string;
  readonly parts: SnapshotParts;
  readonly checksum: string;
  readonly published: PublishedAge | undefined;
  readonly deletionsForgottenUpTo: number;
  readonly tags: HeldTags;
  private wholeMade: Promise<EncodedBody> | undefined;
  private readonly deltas = new Map<number, EncodedBody | undefined>();

  constructor({ version, epoch, parts, checksum, published, deletionsForgottenUpTo }: StateParts) {
    this.version = version;
    this.epoch = epoch;
    this.parts = parts;
    this.checksum = checksum;
    this.published = published;
    this.deletionsForgottenUpTo = deletionsForgottenUpTo;
    this.tags = new HeldTags({ version, epoch });
  }

  /** The whole snapshot as JSON. */
  whole(): Promise<EncodedBody> {
    this.wholeMade ??= inSlices(wholeBody(this.version, this.parts)).then((plain) => new EncodedBody(plain));
    return this.wholeMade;
  }

  /**
   * The changes after version `since`, a `SnapshotDelta` as JSON; undefined when the whole is the better answer: for a version that was never handed
   * out here, when deletions since may have been forgotten, and when the changes are as many as the parts of the whole.
   */
  deltaSince(since: number): EncodedBody | undefined {
    if (this.deltas.has(since)) return this.deltas.get(since);
    const delta = this.makeDelta(since);
    if (this.deltas.size >= DELTAS_KEPT) this.deltas.clear();
    this.deltas.set(since, delta);
    return delta;
  }

  private makeDelta(since: number): EncodedBody | undefined {
    if (since > this.version || since < this.deletionsForgottenUpTo) return undefined;
    const fields = [`"since":${since},"version":${this.version}`];
    let changes = 0;
    for (const name of PART_NAMES) {
      const changed = this.parts[name].changedAfter(since);
      const deleted = this.parts[name].deletedAfter(since);
      changes += changed.length + deleted.length;
      fields.push(`"${name}":[${textsOf(changed)}],"deleted_${name}":${JSON.stringify(deleted)}`);
    }
    const all = PART_NAMES.reduce((sum, name) => sum + this.parts[name].items.length, 0);
    return changes > 0 && changes >= all ? undefined : new EncodedBody(Buffer.from(`{${fields.join(',')}}`));
  }
}

function textsOf(items: readonly SnapshotItem[]): string {
  return items.map(({ text }) => text).join(',');
}
