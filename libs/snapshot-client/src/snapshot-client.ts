import type { Snapshot } from '@sluice/rules';
import { fetchSnapshot } from './fetch-snapshot.js';
import type { SnapshotReply } from './fetch-snapshot.js';
import type { PollResult } from './poll-delay.js';
import { createPollLoop } from './poll-loop.js';
import type { PollLoop } from './poll-loop.js';
import { readBody } from './read-body.js';
import { SnapshotCopy } from './snapshot-copy.js';
import type { CopyFault, SnapshotClientOptions } from './snapshot-client-options.js';
import type { SnapshotStatus } from './snapshot-status.js';

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

/** What is in force. */
interface Held {
  readonly snapshot: Snapshot;
  readonly etag: string | undefined;
  readonly epoch: string | undefined;
}

type BodyReply = Extract<SnapshotReply, { kind: 'body' }>;

const OK: PollResult = { kind: 'ok' };

/** Keeps a node's rules up to date: polls, listens to {@link SnapshotClient.wake}, and hands over only what is whole and valid. */
export function createSnapshotClient(options: SnapshotClientOptions): SnapshotClient {
  return new PollingClient(options);
}

class PollingClient implements SnapshotClient {
  private readonly loop: PollLoop;
  private readonly closing = new AbortController();
  private readonly polls = { requests: 0, whole: 0, delta: 0, unchanged: 0, failed: 0 };
  private readonly first: Promise<void>;
  private resolveFirst: () => void = () => undefined;
  private held: Held | undefined;
  private confirmedAtMs = 0;
  private wanted = 0;
  /** The server said "unchanged" although a newer version was announced: its tag is not to be believed (known failure 77). */
  private doubtsTag = false;
  /** Changes without a checksum are worth nothing: they are no longer asked for. */
  private asksForChanges = true;
  private lastError: string | undefined;
  private refusal: string | undefined;
  private refused = 0;
  private unauthorized = false;
  private readonly copy: SnapshotCopy | undefined;
  private copyFault: string | undefined;
  private triedCopy = false;
  /** What is held comes from the copy, and the control plane has not said anything about it. */
  private restored = false;

  constructor(private readonly options: SnapshotClientOptions) {
    this.first = new Promise((resolve) => {
      this.resolveFirst = resolve;
    });
    const { copyFile, onCopyFault } = options;
    if (copyFile !== undefined) {
      const note = (fault: CopyFault): void => {
        this.copyFault = fault.reason;
        onCopyFault?.(fault);
      };
      this.copy = new SnapshotCopy(copyFile, note, () => (this.copyFault = undefined));
    }
    const { pollMs = 30_000, jitter = 0.2, wakeSpreadMs = 100, random = Math.random } = options;
    this.loop = createPollLoop({
      pollMs,
      jitter,
      wakeSpreadMs,
      random,
      poll: () => this.poll(),
      behind: () => this.wanted > this.version,
      giveUp: () => (this.wanted = 0),
    });
  }

  start(): Promise<void> {
    this.loop.start();
    return this.first;
  }

  wake(version: number): void {
    if (!Number.isSafeInteger(version) || version <= Math.max(this.version, this.wanted)) return;
    this.wanted = version;
    this.loop.wake();
  }

  status(): SnapshotStatus {
    return {
      version: this.held?.snapshot.version,
      ageMs: this.held === undefined ? undefined : Math.round(performance.now() - this.confirmedAtMs),
      lastError: this.lastError,
      refusal: this.refusal,
      refused: this.refused,
      unauthorized: this.unauthorized,
      restored: this.restored,
      copyFault: this.copyFault,
      polls: { ...this.polls },
    };
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

  private async poll(): Promise<PollResult> {
    // Of a copy nobody knows whether this control plane has the same rules under the same tag.
    const known = this.doubtsTag || this.restored ? undefined : this.held;
    const reply = await this.request(known);
    if (this.closing.signal.aborted) return OK;
    // Changes that do not fit what is here, or "unchanged" for another tag: ask for the whole.
    const settled = this.settle(reply) ?? this.settle(await this.request(undefined));
    const result = settled ?? this.failed('the control plane sends changes although the whole was asked for', 0);
    if (this.held === undefined) await this.restore();
    return result;
  }

  /** Once: what was written afterwards came through here. */
  private async restore(): Promise<void> {
    if (this.triedCopy) return;
    this.triedCopy = true;
    const restored = await this.copy?.load();
    if (restored === undefined || this.closing.signal.aborted) return;
    try {
      this.options.onSnapshot(restored.index, restored.snapshot);
    } catch (error) {
      this.copyFault = `the node did not take its copy of the rules: ${error instanceof Error ? error.message : String(error)}`;
      this.options.onCopyFault?.({ kind: 'read', reason: this.copyFault });
      return;
    }
    this.held = { snapshot: restored.snapshot, etag: undefined, epoch: undefined };
    this.restored = true;
    this.confirmedAtMs = performance.now() - restored.ageMs;
    this.resolveFirst();
  }

  private request(known: Held | undefined): Promise<SnapshotReply> {
    const { url, token, timeoutMs = 5000, maxBytes = 64 * 1024 * 1024, fetch: send = fetch } = this.options;
    this.polls.requests += 1;
    const conditions = { etag: known?.etag, since: this.asksForChanges ? known?.snapshot.version : undefined };
    return fetchSnapshot({ url, token, timeoutMs, maxBytes, fetch: send, signal: this.closing.signal, ...conditions });
  }

  /** @returns `undefined` when the whole has to be fetched */
  private settle(reply: SnapshotReply): PollResult | undefined {
    if (this.closing.signal.aborted) return OK;
    this.unauthorized = reply.kind === 'unauthorized';
    if (reply.kind === 'body') return this.take(reply);
    if (reply.kind === 'unchanged') return this.unchanged(reply.etag);
    const retryAfterMs = reply.kind === 'failed' ? reply.retryAfterMs : 0;
    const result = this.failed(reply.reason, retryAfterMs);
    return reply.kind === 'unauthorized' ? { kind: 'unauthorized' } : result;
  }

  private failed(reason: string, retryAfterMs: number): PollResult {
    this.polls.failed += 1;
    this.lastError = reason;
    this.options.onError?.(reason);
    return { kind: 'failed', retryAfterMs };
  }

  private unchanged(etag: string | undefined): PollResult | undefined {
    if (this.held === undefined || (etag !== undefined && !sameTag(etag, this.held.etag))) return undefined;
    this.polls.unchanged += 1;
    this.doubtsTag = this.wanted > this.version;
    return this.confirmed();
  }

  private take(reply: BodyReply): PollResult | undefined {
    const { held } = this;
    const sameEpoch = held !== undefined && !this.restored && reply.epoch === held.epoch;
    // The same again, as 200: building it would do no harm, but neither any good (known failures 54, 77).
    if (sameEpoch && reply.etag !== undefined && sameTag(reply.etag, held.etag) && versionOf(reply.body) === held.snapshot.version) {
      this.polls.unchanged += 1;
      return this.confirmed();
    }
    const read = readBody(reply.body, held?.snapshot, reply.checksum);
    if (read.kind === 'unfit') {
      this.asksForChanges = !read.unverified;
      return undefined;
    }
    this.polls[read.kind === 'delta' ? 'delta' : 'whole'] += 1;
    if (read.kind === 'refused') return this.refuse(read.reason);
    const { snapshot, index } = read;
    if (sameEpoch && snapshot.version < held.snapshot.version) {
      return this.refuse(`version went back from ${held.snapshot.version} to ${snapshot.version}`);
    }
    this.doubtsTag = false;
    try {
      this.options.onSnapshot(index, snapshot);
    } catch (error) {
      return this.refuse(`the node did not take it: ${error instanceof Error ? error.message : String(error)}`);
    }
    this.held = { snapshot, etag: reply.etag, epoch: reply.epoch };
    this.restored = false;
    this.copy?.save(snapshot);
    this.resolveFirst();
    return this.confirmed();
  }

  private confirmed(): PollResult {
    this.confirmedAtMs = performance.now();
    this.lastError = undefined;
    this.refusal = undefined;
    return OK;
  }

  private refuse(reason: string): PollResult {
    this.refused += 1;
    this.refusal = reason;
    this.lastError = undefined;
    this.options.onRefused?.(reason);
    return OK;
  }
}

function versionOf(body: unknown): unknown {
  return typeof body === 'object' && body !== null && 'version' in body ? body.version : undefined;
}

/** Weak comparison, which is what If-None-Match is about (RFC 9110, section 8.8.3.2). */
function sameTag(a: string, b: string | undefined): boolean {
  return b !== undefined && a.replace(/^W\//, '') === b.replace(/^W\//, '');
}
