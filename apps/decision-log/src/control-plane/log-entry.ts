/** What one change of the control plane did to one resource. */
export interface LogEntry {
  /** Global version of the change, which is also that of the snapshot it came to nodes with. */
  readonly version: number;
  readonly atMs: number;
  readonly actor: string;
  readonly action: string;
  /** Version of the resource after it; null when it was deleted. */
  readonly toVersion: number | null;
  readonly after: Readonly<Record<string, unknown>> | null;
}

/** The entries of a page of `GET /v1/audit` or of a history, the newest first; what is no entry is left out. */
export function readLogEntries(page: unknown): readonly LogEntry[] {
  const entries: unknown = typeof page === 'object' && page !== null && 'entries' in page ? page.entries : undefined;
  return Array.isArray(entries) ? entries.flatMap((entry: unknown) => readEntry(entry) ?? []) : [];
}

function readEntry(entry: unknown): LogEntry | undefined {
  if (typeof entry !== 'object' || entry === null) return undefined;
  const { version, at, actor, action, to_version: toVersion, after } = entry as Readonly<Record<string, unknown>>;
  const atMs = Date.parse(String(at));
  if (typeof version !== 'number' || Number.isNaN(atMs) || typeof actor !== 'string' || typeof action !== 'string') return undefined;
  if (typeof toVersion !== 'number' && toVersion !== null) return undefined;
  if (typeof after !== 'object' || after === undefined) return undefined;
  return { version, atMs, actor, action, toVersion, after: after as LogEntry['after'] };
}
