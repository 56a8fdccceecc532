import { parseEntityTags, strongTag } from '../conditional/entity-tag.js';
import { CODINGS, type ContentCoding } from './content-coding.js';

/** What a tag of the snapshot names: a version in one life of the database. */
export interface TaggedVersion {
  readonly version: number;
  readonly epoch: string;
}

const TAG = /^s(\d{1,15})(?:\.(?:br|gzip))?-([0-9a-f]+)$/;

/**
 * The opaque tag of a version in a coding: `s5-0a1b`, `s5.br-0a1b`. A strong tag stands for bytes, so that each coding has its own (RFC 9110 section
 * 8.8.3.3). All say which version they mean, and all of the current version are answered with 304.
 */
export function snapshotTag({ version, epoch }: TaggedVersion, coding: ContentCoding = 'identity'): string {
  return `s${version}${coding === 'identity' ? '' : `.${coding}`}-${epoch}`;
}

/** Finds in `If-None-Match` what the caller holds. */
export class HeldTags {
  private readonly current: readonly string[];
  private readonly fields: ReadonlyMap<string, string>;

  constructor(private readonly inForce: TaggedVersion) {
    this.current = CODINGS.map((coding) => snapshotTag(inForce, coding));
    this.fields = new Map(this.current.map((opaque) => [strongTag(opaque), opaque]));
  }

  /**
   * The tag that a 304 confirms, undefined when the caller does not hold the version in force. It is the caller's own, since that is what a cache looks for
   * the stored answer by (RFC 9111 section 4.3.4).
   *
   * @param orNewer versions that were handed out after this one are held too: for who may have missed some, and would take the caller back
   */
  heldBy(ifNoneMatch: string | undefined, { orNewer = false } = {}): string | undefined {
    if (ifNoneMatch === undefined) return undefined;
    // What nodes send, nearly always.
    const single = this.fields.get(ifNoneMatch);
    if (single !== undefined) return single;
    const tags = parseEntityTags(ifNoneMatch);
    if (tags === undefined) return undefined;
    if (tags === '*') return this.current.at(-1);
    return tags.find(({ opaque }) => this.current.includes(opaque) || (orNewer && this.isNewer(opaque)))?.opaque;
  }

  /** Whether the caller's tags show that its version comes from another database, or from before a backup was restored. */
  areOfAnotherLife(ifNoneMatch: string | undefined): boolean {
    const tags = parseEntityTags(ifNoneMatch ?? '');
    return tags !== undefined && tags !== '*' && tags.every(({ opaque }) => readTag(opaque)?.epoch !== this.inForce.epoch);
  }

  /** The newest version that the caller shows of this epoch, if it is newer than the one in force. */
  newerHeldBy(ifNoneMatch: string | undefined): number | undefined {
    const tags = parseEntityTags(ifNoneMatch ?? '');
    if (tags === undefined || tags === '*') return undefined;
    const versions = tags.filter(({ opaque }) => this.isNewer(opaque)).flatMap(({ opaque }) => readTag(opaque)?.version ?? []);
    return versions.length === 0 ? undefined : Math.max(...versions);
  }

  private isNewer(opaque: string): boolean {
    const read = readTag(opaque);
    return read?.epoch === this.inForce.epoch && read.version > this.inForce.version;
  }
}

function readTag(opaque: string): TaggedVersion | undefined {
  const [, version, epoch] = TAG.exec(opaque) ?? [];
  return version === undefined || epoch === undefined ? undefined : { version: Number(version), epoch };
}
