import type { SliceOptions } from '@sluice/rules';
import { Announced } from './announced.js';
import type { AnswerHeaders } from './answer-headers.js';
import { fetchSnapshot, type SnapshotReply } from './fetch-snapshot.js';
import { type Held, isOlder, isSame, sameTag } from './held.js';
import { parseBody } from './parse-body.js';
import type { PollResult } from './poll-delay.js';
import { createPollLoop, type PollLoop } from './poll-loop.js';
import { type BuiltSnapshot, readBody } from './read-body.js';
import { SnapshotCopy } from './snapshot-copy.js';
import type { CopyFault, SnapshotClientOptions } from './snapshot-client-options.js';
import type { SnapshotStatus } from './snapshot-status.js';
import { Standing } from './standing.js';
import { Teller } from './teller.js';

export interface SnapshotClient {
  /**
   * Starts to poll. Resolves after the first snapshot, which is the copy on disk when the first poll brought none, or on close; a control
   * plane that is away is asked on in the background.
   */
  start(): Promise<void>;
  /** A push says that this version exists. Harmless when repeated, late, out of order or wrong. */
  wake(version: number): void;
  status(): SnapshotStatus;
  /** Stops polling; nothing is handed over after it resolves. */
  close(): Promise<void>;
}

type BodyReply = Extract<SnapshotReply, { kind: 'body' }>;

const OK: PollResult = { kind: 'ok' };

/** Keeps a node's rules up to date: polls, listens to {@link SnapshotClient.wake}, and hands over only what is whole and valid. */
export function createSnapshotClient(options: SnapshotClientOptions): SnapshotClient {
  return new PollingClient(options);
}

class PollingClient implements SnapshotClient {
  private readonly loop: PollLoop;
  private readonly standing: Standing;
  private readonly closing = new AbortController();
  private readonly slices: SliceOptions;
  private readonly copy: SnapshotCopy | undefined;
  private readonly first: Promise<void>;
  private resolveFirst: () => void = () => undefined;
  private held: Held | undefined;
  private readonly announced = new Announced();
  private readonly teller = new Teller();
  /** The server said "unchanged" although a newer version was announced: its tag is not to be believed (known failure 77). */
  private doubtsTag = false;
  /** Changes without a checksum are worth nothing: they are no longer asked for. */
  private asksForChanges = true;
  private triedCopy = false;

  constructor(private readonly options: SnapshotClientOptions) {
    this.first = new Promise((resolve) => {
      this.resolveFirst = resolve;
    });
    const { pollMs = 30_000, jitter = 0.2, wakeSpreadMs = 100, random = Math.random, sliceMs, copyFile } = options;
    this.standing = new Standing(options, this.teller);
    this.slices = { signal: this.closing.signal, ...(sliceMs === undefined ? {} : { sliceMs }) };
    if (copyFile !== undefined) this.copy = new SnapshotCopy(copyFile, (fault) => this.noteCopyFault(fault), () => (this.standing.copyFault = undefined));
    this.loop = createPollLoop({
      pollMs,
      jitter,
      wakeSpreadMs,
      random,
      poll: () => this.poll(),
      behind: () => this.isBehind,
      giveUp: () => this.giveUp(),
    });
  }

  start(): Promise<void> {
    this.loop.start();
    return this.first;
  }

  wake(version: number): void {
    if (this.announced.add(version, this.version)) this.loop.wake();
  }

  status(): SnapshotStatus {
    return this.standing.status({ version: this.held?.snapshot.version, restored: this.held?.restored ?? false });
  }

  async close(): Promise<void> {
    this.closing.abort();
    await this.loop.close();
    await this.copy?.settled();
    this.resolveFirst();
  }

  private get version(): number {
    return this.held?.snapshot.version ?? 0;
  }

  private get isBehind(): boolean {
    return this.announced.isBeyond(this.version);
  }

  /** The pushes lied, or the control plane will have it at a later poll: the tag is as good as before them. */
  private giveUp(): void {
    this.announced.forget();
    this.doubtsTag = false;
  }

  /** What is held and the control plane knows of: of a copy nobody knows whether it has the same rules under the same tag. */
  private get confirmed(): Held | undefined {
    return this.held?.restored === true ? undefined : this.held;
  }

  private async poll(): Promise<PollResult> {
    try {
      // Changes that do not fit what is here, or "unchanged" for another tag: ask for the whole.
      const settled = (await this.settle(await this.request(this.doubtsTag ? undefined : this.confirmed))) ?? (await this.settle(await this.request(undefined)));
      const result = settled ?? this.standing.failed('the control plane sends changes although the whole was asked for', 0);
      if (this.held === undefined) await this.restore();
      return result;
    } catch (error) {
      // Closed in the middle of a build.
      if (this.closing.signal.aborted) return OK;
      // Nothing is known to come here, and polls go on whatever it is.
      return this.standing.failed(`the poll failed: ${error instanceof Error ? error.message : String(error)}`, 0);
    }
  }

  private request(known: Held | undefined): Promise<SnapshotReply> {
    const { url, token, timeoutMs = 5000, maxBytes = 64 * 1024 * 1024, fetch: send = fetch } = this.options;
    this.standing.polls.requests += 1;
    const conditions = { etag: known?.etag, since: this.asksForChanges ? known?.snapshot.version : undefined };
    return fetchSnapshot({ url, token, timeoutMs, maxBytes, fetch: send, signal: this.closing.signal, ...conditions });
  }

  /** @returns `undefined` when the whole has to be fetched */
  private async settle(reply: SnapshotReply): Promise<PollResult | undefined> {
    if (this.closing.signal.aborted) return OK;
    this.standing.unauthorized = reply.kind === 'unauthorized';
    if (reply.kind === 'body') return this.take(reply);
    if (reply.kind === 'unchanged') return this.unchanged(reply);
    const result = this.standing.failed(reply.reason, reply.kind === 'failed' ? reply.retryAfterMs : 0);
    return reply.kind === 'unauthorized' ? { kind: 'unauthorized' } : result;
  }

  private unchanged({ etag, staleMs }: AnswerHeaders): PollResult | undefined {
    if (this.held === undefined || (etag !== undefined && !sameTag(etag, this.held.etag))) return undefined;
    this.standing.polls.unchanged += 1;
    this.doubtsTag = this.isBehind;
    return this.standing.confirmed(staleMs);
  }

  private async take(reply: BodyReply): Promise<PollResult | undefined> {
    const json = await parseBody(reply.text, this.slices);
    if (json.kind === 'malformed') return this.standing.failed(json.reason, 0);
    const { confirmed } = this;
    // To build the same again would do no harm, but neither any good.
    if (confirmed !== undefined && isSame(confirmed, reply, json.value)) {
      this.standing.polls.unchanged += 1;
      this.doubtsTag = this.isBehind;
      return this.standing.confirmed(reply.staleMs);
    }
    const read = await readBody(json.value, this.held?.snapshot, reply.checksum, this.slices);
    if (read.kind === 'unfit') {
      this.asksForChanges = !read.unverified;
      this.standing.polls.unfit += 1;
      return undefined;
    }
    this.standing.polls[read.kind === 'delta' ? 'delta' : 'whole'] += 1;
    return read.kind === 'refused' ? this.standing.refuse(read.reason) : this.apply(reply, read);
  }

  private apply(reply: BodyReply, { snapshot, index, checksum }: BuiltSnapshot): PollResult {
    const { confirmed: before, standing } = this;
    const { version } = snapshot;
    if (before !== undefined && isOlder(version, reply, before)) {
      return standing.refuse(`version went back from ${before.snapshot.version} to ${version}`);
    }
    this.doubtsTag = false;
    try {
      this.options.onSnapshot(index, snapshot);
    } catch (error) {
      return standing.refuse(`the node did not take it: ${error instanceof Error ? error.message : String(error)}`);
    }
    const publishedAgeMs = reply.publishedAgeMs === undefined ? undefined : reply.publishedAgeMs + performance.now() - reply.answeredAtMs;
    this.held = { snapshot, etag: reply.etag, epoch: reply.epoch, restored: false };
    this.teller.tell('onApplied', this.options.onApplied, { version, previousVersion: before?.snapshot.version, publishedAgeMs });
    this.copy?.save(snapshot, checksum);
    this.resolveFirst();
    return standing.confirmed(reply.staleMs);
  }

  /** Once: what was written afterwards came through here. */
  private async restore(): Promise<void> {
    if (this.triedCopy) return;
    this.triedCopy = true;
    const restored = await this.copy?.load(this.slices);
    if (restored === undefined || this.closing.signal.aborted) return;
    try {
      this.options.onSnapshot(restored.index, restored.snapshot);
    } catch (error) {
      this.noteCopyFault({ kind: 'read', reason: `the node did not take its copy of the rules: ${error instanceof Error ? error.message : String(error)}` });
      return;
    }
    this.held = { snapshot: restored.snapshot, etag: undefined, epoch: undefined, restored: true };
    this.standing.knownFor(restored.ageMs);
    this.resolveFirst();
  }

  private noteCopyFault(fault: CopyFault): void {
    this.standing.copyFault = fault.reason;
    this.teller.tell('onCopyFault', this.options.onCopyFault, fault);
  }
}
