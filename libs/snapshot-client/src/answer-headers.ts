/** Names the database's life: it changes when a backup is restored, so that versions may go back (see README). */
export const EPOCH_HEADER = 'sluice-epoch';

/** `snapshotChecksum` of the whole snapshot at the answer's version, also when the body holds changes only. */
export const CHECKSUM_HEADER = 'sluice-checksum';

/** Ms, an integer, since the version in the answer was committed. */
export const PUBLISHED_AGE_HEADER = 'sluice-published-age';

/** Seconds, an integer, for which the control plane could not ask its database: the answer is what it remembers. */
export const STALE_HEADER = 'sluice-stale';

/** What an answer of the control plane says beside its body. */
export interface AnswerHeaders {
  readonly etag: string | undefined;
  /** {@link EPOCH_HEADER}. */
  readonly epoch: string | undefined;
  /** {@link CHECKSUM_HEADER}. */
  readonly checksum: string | undefined;
  /** {@link PUBLISHED_AGE_HEADER}; of what comes without, or is no integer, nothing is known. */
  readonly publishedAgeMs: number | undefined;
  /** {@link STALE_HEADER} in ms; `undefined` for an answer that the database stands behind. */
  readonly staleMs: number | undefined;
}

export function readAnswerHeaders(headers: Headers): AnswerHeaders {
  const text = (name: string): string | undefined => headers.get(name) ?? undefined;
  const staleSeconds = count(text(STALE_HEADER));
  return {
    etag: text('etag'),
    epoch: text(EPOCH_HEADER),
    checksum: text(CHECKSUM_HEADER),
    publishedAgeMs: count(text(PUBLISHED_AGE_HEADER)),
    // Stale for nobody knows how long is stale too.
    staleMs: headers.has(STALE_HEADER) ? 1000 * (staleSeconds ?? 0) : undefined,
  };
}

function count(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
