import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { inSlices } from '@sluice/rules';
import type { HealthChecks, Logger } from '@sluice/platform';
import { isDatabaseUnavailable } from '../database/database-problem.js';
import { DatabaseConnection } from '../database/database-connection.js';
import { HEALTH, LOGGER } from '../tokens.js';
import { buildState } from './build-state.js';
import { SnapshotMetrics } from './snapshot-metrics.js';
import { type ReadVersion, type SnapshotChanges, SnapshotReader } from './snapshot-reader.js';
import type { SnapshotState } from './snapshot-state.js';
import { HeldTags, type TaggedVersion } from './snapshot-tag.js';

/** The version to answer by. */
export interface InForce extends TaggedVersion {
  readonly tags: HeldTags;
  /** Time since it was last known to be in force, while the database cannot be asked; else undefined. */
  readonly staleSeconds: number | undefined;
}

/** A request for the snapshot, as far as it shows what its caller holds. */
export interface SnapshotRequest {
  readonly headers: { readonly 'if-none-match'?: string | undefined };
}

/** Callers that show versions which never were could else have all nodes fetch the whole all the time. */
const TRUSTS_A_CALLER_EVERY_MS = 60_000;

/** A state to answer with. */
export interface Answerable {
  readonly state: SnapshotState;
  readonly staleSeconds: number | undefined;
}

/**
 * The snapshot that nodes poll (R54). A poll costs a share of one row as long as nothing changed; a version is built once, from the last one and what
 * changed since, however many nodes ask for it. While the database is away, the last state goes on being served, and says so. A database that contradicts what this
 * process or a node had of it was restored: its epoch ends, and all is built anew.
 */
@Injectable()
export class SnapshotService implements OnApplicationBootstrap {
  private latest: SnapshotState | undefined;
  private confirmedAtMs = 0;
  private latestMark: string | undefined;
  /** When the read of the latest state had ended. */
  private latestReadAtMs = 0;
  private trustedCallerAtMs = -Infinity;
  private building: Promise<SnapshotState> | undefined;
  private readonly asked = new WeakMap<SnapshotRequest, Promise<InForce>>();

  constructor(
    private readonly reader: SnapshotReader,
    private readonly database: DatabaseConnection,
    private readonly metrics: SnapshotMetrics,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(HEALTH) health: HealthChecks,
  ) {
    health.register('snapshot', () =>
      this.latest === undefined ? { ok: false, detail: 'no version was read yet' } : { ok: true, detail: `nodes get version ${this.latest.version}, from memory while the database is away` },
    );
  }

  /** So that there is a state to serve, whatever becomes of the database before the first poll. */
  onApplicationBootstrap(): void {
    const built = this.database.ready.then(() => this.inForce()).then((inForce) => this.answerable(inForce));
    built.catch((error: unknown) => this.logger.warn({ err: error }, 'no snapshot was built at the start; the next poll will'));
  }

  /** As {@link inForce}, asked once for a request, however many steps of its answer want to know. */
  inForceFor(request: SnapshotRequest): Promise<InForce> {
    const known = this.asked.get(request);
    if (known !== undefined) return known;
    const asking = this.inForce(request.headers['if-none-match']);
    this.asked.set(request, asking);
    return asking;
  }

  /** The version in force, not older than any commit before the call; the last one known while the database is away. @throws while there is none */
  async inForce(ifNoneMatch?: string): Promise<InForce> {
    const askedAtMs = performance.now();
    try {
      const { version, epoch, tags } = await this.consistentVersion(ifNoneMatch);
      // Nobody waits for it here: who needs it asks for it, and who does not is served from it once the database is away.
      if (this.isAt(this.latest, { version, epoch })) this.confirmedAtMs = askedAtMs;
      else this.stateAt({ version, epoch }).catch(() => undefined);
      return { version, epoch, tags, staleSeconds: undefined };
    } catch (error) {
      const { state, staleSeconds } = this.lastKnown(error);
      return { version: state.version, epoch: state.epoch, tags: state.tags, staleSeconds };
    }
  }

  /** The state at this version, or at a newer one; the last one known while the database is away. */
  async answerable({ version, epoch, staleSeconds }: InForce): Promise<Answerable> {
    try {
      return { state: await this.stateAt({ version, epoch }), staleSeconds };
    } catch (error) {
      return this.lastKnown(error);
    }
  }

  /**
   * One build at a time, so that a burst of writes does not make as many: a build that was under way may be too old, the one after it is not.
   */
  private async stateAt(wanted: TaggedVersion): Promise<SnapshotState> {
    if (this.isAt(this.latest, wanted)) return this.latest;
    const underWay = await this.building;
    return this.isAt(underWay, wanted) ? underWay : this.build();
  }

  /** The version in force, in an epoch that has no other history than this one. */
  private async consistentVersion(ifNoneMatch: string | undefined): Promise<TaggedVersion & Pick<InForce, 'tags'>> {
    const read = await this.reader.version();
    const { version, epoch } = read;
    const tags = this.tagsOf(read);
    const contradiction = this.contradictionOf(read) ?? this.callersContradictionOf(tags, version, ifNoneMatch);
    if (contradiction === undefined) return { version, epoch, tags };
    await this.endEpoch(epoch, contradiction);
    const next = await this.reader.version();
    return { ...next, tags: this.tagsOf(next) };
  }

  private tagsOf(read: TaggedVersion): HeldTags {
    return this.latest?.epoch === read.epoch && this.latest.version === read.version ? this.latest.tags : new HeldTags(read);
  }

  /** By what this process read before. */
  private contradictionOf({ version, epoch, mark, beganAtMs }: ReadVersion): string | undefined {
    const { latest } = this;
    if (latest?.epoch !== epoch || beganAtMs < this.latestReadAtMs) return undefined;
    if (version < latest.version) return `version went back from ${latest.version} to ${version}`;
    return version > latest.version || mark === this.latestMark ? undefined : `version ${version} is another one than before`;
  }

  /** By what the caller holds: it was in force before the read began, as some control plane had read it. */
  private callersContradictionOf(tags: HeldTags, version: number, ifNoneMatch: string | undefined): string | undefined {
    if (ifNoneMatch === undefined || tags.heldBy(ifNoneMatch) !== undefined) return undefined;
    const newer = tags.newerHeldBy(ifNoneMatch);
    const nowMs = performance.now();
    if (newer === undefined || nowMs - this.trustedCallerAtMs < TRUSTS_A_CALLER_EVERY_MS) return undefined;
    this.trustedCallerAtMs = nowMs;
    return `a caller holds version ${newer}, and ${version} is in force`;
  }

  private async endEpoch(epoch: string, reason: string): Promise<void> {
    if (!(await this.reader.beginEpoch(epoch))) return;
    this.metrics.restored.inc();
    this.logger.error({ epoch, reason }, 'the database has another history than before, as after a restore; its epoch began anew, and nodes fetch the whole');
  }

  private isAt(state: SnapshotState | undefined, { version, epoch }: TaggedVersion): state is SnapshotState {
    return state?.epoch === epoch && state.version >= version;
  }

  private lastKnown(error: unknown): Answerable & { readonly staleSeconds: number } {
    if (this.latest === undefined || !isDatabaseUnavailable(error)) throw error;
    this.metrics.stale.inc();
    return { state: this.latest, staleSeconds: Math.ceil((performance.now() - this.confirmedAtMs) / 1_000) };
  }

  private build(): Promise<SnapshotState> {
    this.building ??= this.readAndBuild().finally(() => {
      this.building = undefined;
    });
    return this.building;
  }

  private async readAndBuild(): Promise<SnapshotState> {
    const startMs = performance.now();
    const changes = await this.consistentChanges();
    this.latestReadAtMs = performance.now();
    const state = await inSlices(buildState(this.latest, changes));
    this.latest = state;
    this.latestMark = changes.mark;
    this.confirmedAtMs = startMs;
    this.metrics.builds.observe({ from: changes.since === undefined ? 'everything' : 'changes' }, (performance.now() - startMs) / 1_000);
    return state;
  }

  private async consistentChanges(): Promise<SnapshotChanges> {
    const changes = await this.reader.changesSince(this.latest);
    if (changes.contradiction === undefined) return changes;
    await this.endEpoch(changes.epoch, changes.contradiction);
    return this.reader.changesSince(this.latest);
  }
}
