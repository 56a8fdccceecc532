/** `Sluice-Stale` while the database is away. */
export function staleHeader(staleSeconds: number | undefined): Readonly<Record<string, string>> {
  return staleSeconds === undefined ? {} : { 'sluice-stale': String(staleSeconds) };
}
