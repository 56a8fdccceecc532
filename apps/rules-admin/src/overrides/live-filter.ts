import type { TimedFilter } from '../paging/page-reader.js';

/** Overrides by whether they have expired, by the clock of the database. */
export function liveFilter(live: 'true' | 'false'): TimedFilter {
  return {
    name: `live=${live}`,
    where: `row.expires_at ${live === 'true' ? '>' : '<='} now()`,
    // Between two versions the list changes when one expires, and then this moves on.
    async asOf(manager) {
      const [row] = await manager.query<{ last: Date | null }[]>('SELECT max(expires_at) AS last FROM override WHERE expires_at <= now()');
      return row?.last?.toISOString() ?? '';
    },
  };
}
